import type { Body } from './client.ts'
import { type Family, firstPrice, registerOf, turnOf, type Value } from './family.ts'
import type { Observed } from './registers.ts'

/** A read, and what its response shows. */
export type Probe = { path: string; observe: (body: Body) => Observed[] }

/** Variants at the start, which later ones are counted from. */
const firstVariants = 2
const firstProducts = 1

/** Reads that show the values of a family, directly or through other products. */
export function familyProbes({ name, ids, category }: Family): Probe[] {
  const see = (value: Value, turn: number): Observed => [registerOf(name, value), turn]
  const ofSingle = (body: Body): Observed[] => [
    see('name', turnOf(body.name)),
    see('tag', turnOf(body.attributes.tag)),
    see('category', turnOf(body.categories[0].name)),
    see('sku', turnOf(body.links.related[0].sku)),
    // A version keeps its score or gets one by newer rules.
    [`ruleset of ${name}, version ${body.version}`, body.quality_score.ruleset],
  ]
  const ofParent = ({ variants, inventory, description }: Body): Observed[] => [
    see('variants', variants.count - firstVariants),
    see('price', variants.price.max - firstPrice),
    see('total stock', inventory.quantity),
    see('text', turnOf(description)),
  ]
  const ofProducts = (count: number) => see('products', count - firstProducts)
  const ofTree = (nodes: Body[]): Observed[] =>
    nodes.flatMap((node) => [
      ...(node.id === category ? [see('category', turnOf(node.name)), ofProducts(node.products)] : []),
      ...ofTree(node.children),
    ])
  return [
    { path: `products/${ids.single}`, observe: ofSingle },
    { path: `products/by-sku/${name}-single`, observe: ofSingle },
    { path: `products/${ids.parent}`, observe: ofParent },
    { path: `products/by-sku/${name}-parent`, observe: ofParent },
    {
      path: `products/${ids.variant}?resolve=parent`,
      observe: ({ sku, description, inventory }) => [
        see('sku', turnOf(sku)),
        see('text', turnOf(description)),
        see('stock', inventory.quantity),
      ],
    },
    {
      path: `products/${ids.bundle}`,
      observe: ({ inventory, components }) => [
        see('stock', inventory.quantity),
        see('sku', turnOf(components[0].sku)),
      ],
    },
    {
      path: `products/${ids.group}`,
      observe: ({ inventory, components }) => [
        see('total stock', inventory.quantity),
        see('sku', turnOf(components[0].sku)),
      ],
    },
    { path: `products?category=${category}&page_size=1`, observe: ({ count }) => [ofProducts(count)] },
    { path: `products?search=${name}x`, observe: ({ results }) => [see('name', turnOf(results[0].name))] },
    {
      path: `products?attributes__family=${name}&expand=detail`,
      observe: ({ results }) => ofSingle(results[0]),
    },
    {
      path: `products?linked_to=${ids.variant}&expand=detail`,
      observe: ({ results }) => ofSingle(results[0]),
    },
    {
      path: `products?parent=${ids.parent}&page_size=1`,
      observe: ({ count }) => [see('variants', count - firstVariants)],
    },
    {
      path: `products?price__gte=${firstPrice}&sku__in=${name}-priced&expand=detail`,
      observe: ({ results }) => [see('price', results[0].price - firstPrice)],
    },
    {
      path: `products/facets?facets=tag&category=${category}`,
      observe: ({ count, facets }) => [see('tag', turnOf(facets[0].values[0].value)), ofProducts(count)],
    },
    {
      path: `categories?search=${name}%20leaf&expand=counts`,
      observe: ({ results }) => [see('category', turnOf(results[0].path[1]))],
    },
    { path: 'categories/tree', observe: ({ results }) => ofTree(results) },
  ]
}
