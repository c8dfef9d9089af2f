import type { Body } from './client.ts'
import type { Family } from './family.ts'
import { firstPrice, registerOf, turnOf, turnOfSequence, type Value } from './family-values.ts'
import type { Observed } from './registers.ts'
import { stateOf } from './row-states.ts'
import { seeCurrency } from './writes/project-writes.ts'

/** At the start, from which later ones are counted. */
const first = { variants: 2, products: 1 }

export type FamilyObserver = ReturnType<typeof observeFamily>

/** What parts of responses show of a family. */
export function observeFamily({ name, category }: Family) {
  const see = (value: Value, turn: number): Observed => [registerOf(name, value), turn]
  const ofProducts = (count: number) => see('products', count - first.products)
  const ofVariants = (count: number) => see('variants', count - first.variants)
  const ofBranches = (nodes: Body[]) => {
    const names: string[] = nodes.map((node) => node.name)
    return see('branch', turnOfSequence(names.filter((one) => one.includes(' branch '))))
  }
  const ofTree = (nodes: Body[]): Observed[] =>
    nodes.flatMap((node) =>
      node.id === category
        ? [see('category', turnOf(node.name)), ofProducts(node.products), ofBranches(node.children)]
        : ofTree(node.children),
    )
  return {
    see,
    ofProducts,
    ofVariants,
    ofBranches,
    ofTree,
    ofSingle: (body: Body): Observed[] => [
      see('name', turnOf(body.name)),
      see('tag', turnOf(body.attributes.tag)),
      see('category', turnOf(body.categories[0].name)),
      see('sku', turnOf(body.links.related[0].sku)),
      stateOf(body),
      seeCurrency(body),
    ],
    ofParent: ({ variants, inventory, description }: Body): Observed[] => [
      ofVariants(variants.count),
      see('price', variants.price.max - firstPrice),
      see('total stock', inventory.quantity),
      see('text', turnOf(description)),
    ],
  }
}
