import type { Body, Client } from './client.ts'
import type { Observed, Registers } from './registers.ts'

/** Products and categories of one writer that depend on each other. */
export type Family = {
  name: string
  ids: Record<'parent' | 'variant' | 'priced' | 'single' | 'bundle' | 'group', number>
  category: number
  /** Categories between which the category moves. */
  roots: [number, number]
}

/** The values of a family that writes change. Each only grows, and starts at 0. */
const values = [
  'name',
  'tag',
  'text',
  'price',
  'sku',
  'stock',
  'total stock',
  'category',
  'products',
  'variants',
] as const
export type Value = (typeof values)[number]

export const registerOf = (family: string, value: Value) => `${value} of ${family}`

/** The products, with the number of each change in the changed value. */
export const written = {
  name: (family: string, turn: number) => `${family}x n${turn}`,
  tag: (family: string, turn: number) => `${family} t${turn}`,
  text: (turn: number) => `Text ${turn}`,
  sku: (family: string, turn: number) => `${family}-variant-${turn}`,
  category: (family: string, turn: number) => `${family} c${turn}`,
}

export const firstPrice = 10

/** The number at the end of a value. */
export function turnOf(text: string): number {
  return Number(/\d+$/.exec(text)?.[0])
}

export async function createFamily(client: Client, name: string, registers: Registers): Promise<Family> {
  const create = async (path: string, body: object): Promise<Body> =>
    (await client.write('POST', `/v2/${path}`, body))?.body
  const roots = [`${name} east`, `${name} west`].map((root) => create('categories', { name: root }))
  const [east, west] = await Promise.all(roots)
  const category = { name: written.category(name, 0), parent: east.id }
  const { id } = await create('categories', category)
  await create('categories', { name: `${name} leaf`, parent: id })
  // The variants first, so that the references of the others are bound to them.
  const [parts, wholes] = productLines(name, id)
  const results = [
    ...(await create('products/bulk', parts)).results,
    ...(await create('products/bulk', wholes)).results,
  ]
  const idOf = (place: number) => results[place].id as number
  const family: Family = {
    name,
    ids: {
      parent: idOf(0),
      variant: idOf(1),
      priced: idOf(2),
      single: idOf(3),
      bundle: idOf(4),
      group: idOf(5),
    },
    category: id,
    roots: [east.id, west.id],
  }
  const first = values.map((value): Observed => [registerOf(name, value), 0])
  registers.write(first, { start: 0, end: performance.now() })
  return family
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
  ]
  return [parts, wholes]
}
