import type { Body, Client } from './client.ts'
import { existenceOf, firstPrice, registerOf, values, written } from './family-values.ts'
import type { Observed, Registers } from './registers.ts'

/** Products and categories of one writer that depend on each other. */
export type Family = {
  name: string
  ids: Record<'parent' | 'variant' | 'priced' | 'single' | 'bundle' | 'group', number>
  category: number
  /** Categories between which the category moves. */
  roots: [number, number]
  /** The category and the product that are removed next. */
  branch: number
  retired: number
  /** The product that is erased next, or was erased last. */
  erased: number
}

export async function createFamily(client: Client, name: string, registers: Registers): Promise<Family> {
  const create = async (path: string, body: object): Promise<Body> =>
    (await client.write('POST', `/v2/${path}`, body))?.body
  const roots = [`${name} east`, `${name} west`].map((root) => create('categories', { name: root }))
  const [east, west] = await Promise.all(roots)
  const { id: category } = await create('categories', { name: written.category(name, 0), parent: east.id })
  await create('categories', { name: `${name} leaf`, parent: category })
  const branch = await create('categories', { name: written.branch(name, 0), parent: category })
  // The variants first, so that the references of the others are bound to them.
  const [parts, wholes] = productLines(name, category)
  const ids = [
    ...(await create('products/bulk', parts)).results,
    ...(await create('products/bulk', wholes)).results,
  ].map(({ id }) => id as number)
  const [parent, variant, priced, single, bundle, group, retired] = ids as [
    ...[number, number, number, number, number, number, number],
  ]
  registers.write(
    [...values.map((value): Observed => [registerOf(name, value), 0]), [existenceOf(retired), 0]],
    { start: 0, end: performance.now() },
  )
  return {
    name,
    ids: { parent, variant, priced, single, bundle, group },
    category,
    roots: [east.id, west.id],
    branch: branch.id,
    retired,
    erased: retired,
  }
}

function productLines(name: string, category: number): [parts: object[], wholes: object[]] {
  const variant = { parent: { sku: `${name}-parent` }, inventory: { quantity: 0 }, price: firstPrice }
  const bothVariants = [{ sku: written.sku(name, 0) }, { sku: `${name}-priced` }]
  const parts = [
    {
      sku: `${name}-parent`,
      name: 'Parent',
      product_type: 'configurable',
      variant_axes: ['size'],
      description: written.text(0),
    },
    { sku: written.sku(name, 0), name: 'Variant', ...variant, attributes: { size: 'S' } },
    { sku: `${name}-priced`, name: 'Priced', ...variant, attributes: { size: 'M' } },
  ]
  const wholes = [
    {
      sku: `${name}-single`,
      name: written.name(name, 0),
      categories: [{ id: category }],
      attributes: { tag: written.tag(name, 0), family: name },
      links: { related: [{ sku: written.sku(name, 0) }] },
    },
    { sku: `${name}-bundle`, name: 'Bundle', product_type: 'bundle', components: [bothVariants[0]] },
    { sku: `${name}-group`, name: 'Group', product_type: 'grouped', components: bothVariants },
    { ...written.retired(name, 0), status: 'archived' },
  ]
  return [parts, wholes]
}
