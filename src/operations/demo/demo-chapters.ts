import type { Author } from '../../catalog/products/write-products.ts'
import type { NewProduct } from '../../model/product/product-input.schema.ts'
import type { Random } from './random.ts'

/** What was written on one day, as lines of a push. */
export type Chapter = { daysAgo: number; author: Author; lines: Patch[] }
type Provenance = { prompt_id: number; version_number: string; model: string; fields?: string[] }
type Patch = Partial<Omit<NewProduct, 'provenance'>> & { sku: string; provenance?: Provenance }

export const actors = {
  member: { actor: 'member@demo.example', source: 'console' },
  prices: { actor: 'Sample: price list', source: 'bulk' },
  writer: { actor: 'Sample: text writer', source: 'bulk' },
} as const satisfies Record<string, Author>

/** What differed about some products when they were made. */
type Earlier = Map<string, Partial<NewProduct>>

export function roundedPrice(price: number | null, factor: number): number {
  return Math.round((price ?? 0) * factor * 20) / 20
}

/** One list of new prices for all. */
export function prices(products: NewProduct[], earlier: Earlier): Chapter[] {
  for (const { sku, price } of products) earlier.set(sku, { price: roundedPrice(price, 1.06) })
  const lines = products.map(({ sku, price }) => ({ sku, price }))
  return [{ daysAgo: 88, author: actors.prices, lines }]
}

/** An early version of the prompt wrote too little; a later one did better, and a person corrected some of it. */
export function texts(
  products: NewProduct[],
  earlier: Earlier,
  prompt_id: number,
  random: Random,
): Chapter[] {
  for (const { sku } of products) earlier.set(sku, { description: '' })
  const write = (daysAgo: number, version_number: string, some: NewProduct[], isFinal: boolean): Chapter => ({
    daysAgo,
    author: actors.writer,
    lines: some.map(({ sku, description }) => ({
      sku,
      description: isFinal ? description : unfinished(description, random),
      provenance: { prompt_id, version_number, model: 'sample-writer' },
    })),
  })
  const [kept, replaced, corrected, late] = [
    [0, 12],
    [12, 34],
    [34, 42],
    [42, 72],
  ].map(([from, to]) => products.slice(from, to)) as [NewProduct[], NewProduct[], NewProduct[], NewProduct[]]
  const correction = corrected.map(({ sku, description }) => ({ sku, description }))
  return [
    write(72, '1.2.0', kept, true),
    write(71, '1.2.0', replaced, false),
    write(34, '1.9.0', replaced, true),
    write(33, '1.9.0', corrected, false),
    write(19, '1.9.0', late, true),
    { daysAgo: 12, author: actors.member, lines: correction },
  ]
}

function unfinished(text: string, random: Random): string {
  const [first = text] = text.split(/(?<=\.) /)
  return `${first} ${random.pick(['A good choice.', 'Ready to ship.', 'You will like it.'])}`
}

/** What another prompt read out of names and texts. */
export function attributes(products: NewProduct[], earlier: Earlier, prompt_id: number): Chapter[] {
  for (const {
    sku,
    attributes: { weight_g: _, ...others },
  } of products)
    earlier.set(sku, { attributes: others })
  const lines = products.map(({ sku, attributes: { weight_g = 1 } }) => ({
    sku,
    attributes: { weight_g },
    provenance: { prompt_id, version_number: '1.2.0', model: 'sample-reader' },
  }))
  return [{ daysAgo: 45, author: actors.writer, lines }]
}

/** Three products a day or so: a draft that goes on sale, a name in other words, a price that follows. */
export function daily(products: NewProduct[], earlier: Earlier): Chapter[] {
  return products.map((product, index) => {
    const { sku, name, price } = product
    const daysAgo = 1 + Math.floor(index / 3) + (index % 5)
    if (index % 3 === 0) {
      earlier.set(sku, { status: 'pending' })
      return { daysAgo, author: actors.member, lines: [{ sku, status: 'active' }] }
    }
    if (index % 3 === 1) {
      earlier.set(sku, { name: name.toLowerCase() })
      return { daysAgo, author: actors.member, lines: [{ sku, name }] }
    }
    earlier.set(sku, { price: roundedPrice(price, 0.94) })
    return { daysAgo, author: { ...actors.prices, source: 'api' }, lines: [{ sku, price }] }
  })
}
