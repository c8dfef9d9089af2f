import type { NewProduct } from '../products/product-input.schema.ts'
import type { Author } from '../products/write-products.ts'
import { type Random, seededRandom } from './random.ts'

/** What was written on one day, as lines of a push. */
export type Chapter = { daysAgo: number; author: Author; lines: Patch[] }
type Provenance = { prompt_id: number; version_number: string; model: string; fields?: string[] }
type Patch = Partial<Omit<NewProduct, 'provenance'>> & { sku: string; provenance?: Provenance }

/** Those that wrote descriptions and weights. */
export type PromptIds = { writer: number; reader: number }

export const actors = {
  member: { actor: 'member@demo.example', source: 'console' },
  prices: { actor: 'Sample: price list', source: 'bulk' },
  writer: { actor: 'Sample: text writer', source: 'bulk' },
} as const satisfies Record<string, Author>

export type Past = {
  /** The products as they were made. */
  turns: NewProduct[][]
  /** How they became what they are, oldest first. */
  chapters: Chapter[]
  /** Products that are active, complete and unchanged so far, for proposals. */
  rest: NewProduct[]
}

/** The guide changes the first products, and the last ones came only lately. */
const [firstChanged, firstLate] = [10, 700]

/**
 * The shop of some months ago: prices that were higher, texts that a prompt had yet to write, drafts. What it has become is what
 * the demo has always been, so no count depends on its past.
 */
export function demoPast(turns: NewProduct[][], promptIds: PromptIds): Past {
  const random = seededRandom(2611)
  const steady = turns.flat().slice(firstChanged, firstLate).filter(isComplete)
  const drawn = random.shuffled(steady)
  const take = (count: number) => drawn.splice(0, count)
  const earlier = new Map<string, Partial<NewProduct>>()
  const chapters: Chapter[] = [
    ...prices(take(120), earlier),
    ...texts(take(72), earlier, promptIds.writer, random),
    ...attributes(take(24), earlier, promptIds.reader),
    ...daily(take(72), earlier),
  ]
  const made = (product: NewProduct) => ({ ...product, ...earlier.get(product.sku) })
  return { turns: turns.map((turn) => turn.map(made)), chapters: joined(chapters), rest: drawn }
}

/** One push a day for each author. */
function joined(chapters: Chapter[]): Chapter[] {
  const keyOf = ({ daysAgo, author }: Chapter) => `${daysAgo} ${author.actor} ${author.source}`
  return Map.groupBy(chapters, keyOf)
    .values()
    .toArray()
    .map((some) => ({ ...(some[0] as Chapter), lines: some.flatMap(({ lines }) => lines) }))
    .sort((one, other) => other.daysAgo - one.daysAgo)
}

function isComplete({ status, price, description, attributes, components }: NewProduct): boolean {
  const isWhole = price !== null && description.length > 120 && typeof attributes['weight_g'] === 'number'
  return isWhole && status === 'active' && components.length === 0
}

type Earlier = Map<string, Partial<NewProduct>>

export function roundedPrice(price: number | null, factor: number): number {
  return Math.round((price ?? 0) * factor * 20) / 20
}

/** One list of new prices for all. */
function prices(products: NewProduct[], earlier: Earlier): Chapter[] {
  for (const { sku, price } of products) earlier.set(sku, { price: roundedPrice(price, 1.06) })
  const lines = products.map(({ sku, price }) => ({ sku, price }))
  return [{ daysAgo: 88, author: actors.prices, lines }]
}

/** An early version of the prompt wrote too little; a later one did better, and a person corrected some of it. */
function texts(products: NewProduct[], earlier: Earlier, prompt_id: number, random: Random): Chapter[] {
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
function attributes(products: NewProduct[], earlier: Earlier, prompt_id: number): Chapter[] {
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
function daily(products: NewProduct[], earlier: Earlier): Chapter[] {
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
