import type { NewProduct } from '../../model/product/product-input.schema.ts'
import { mediaOf } from './demo-media.ts'
import { noStock, statusOf } from './demo-stock.ts'
import { either, filled, pathsOf, sentencesOf, skuOf } from './demo-text.ts'
import { type Offer, type Variant, variantsOfPart } from './offer.ts'
import type { Part, ProductSet } from './product-sets.ts'
import type { Random } from './random.ts'

/** Who puts bundles and groups together. */
const brand = 'Mill & Market'

/** What is sold of a part of a set, in the order of its choice. */
type Content = Part & { variants: Variant[]; products: NewProduct[] }
type Version = { set: ProductSet; size: string; contents: Content[] }

/** The bundles and groups of the shop, made of products that it sells. */
export function setOffers(
  sets: ProductSet[],
  variants: Variant[],
  products: ReadonlyMap<string, NewProduct>,
  random: Random,
): Offer[] {
  const contentOf = (part: Part): Content => {
    const found = variantsOfPart(part, variants)
    const sold = found.flatMap(({ line, number }) => products.get(skuOf(line.sku, number)) ?? [])
    return { ...part, variants: found, products: sold }
  }
  const versions = sets.flatMap((set) =>
    Object.entries(set.versions).map(([size, parts]) => ({ set, size, contents: parts.map(contentOf) })),
  )
  return Map.groupBy(versions, ({ set }) => set.sku)
    .values()
    .toArray()
    .flatMap((all) => all.map((version, index) => offerOf(version, index + 1, random)))
}

function offerOf({ set, size, contents }: Version, number: number, random: Random): Offer {
  const { noun, point, attributes } = set
  const words = { noun, size }
  const product: NewProduct = {
    sku: skuOf(set.sku, number),
    name: filled(set.name, words),
    description: [...sentencesOf(set, random), describeContents(set, contents)].join(' '),
    short_description: `${noun} ${point}, ${size}.`,
    status: statusOf([80, 8, 8], random),
    product_type: set.type,
    categories: pathsOf([set.category, ...set.categories]),
    attributes: { brand, [set.label]: size, ...attributes, ...figuresOf(set, contents) },
    media: mediaOf(set, number, size),
    price: set.saving_percent === undefined ? null : priceOf(contents, set.saving_percent),
    parent: null,
    variant_axes: [],
    components: componentsOf(contents),
    links: {},
    inventory: noStock,
  }
  return { product, noun, axes: [], isPart: false }
}

function componentsOf(contents: Content[]): NewProduct['components'] {
  return contents.flatMap((content) =>
    content.products.map(({ sku }, index) => ({
      sku,
      quantity: content.quantity ?? 1,
      ...(content.choice !== undefined && { choice: content.choice }),
      ...(index === 0 && isFirstOfChoice(content, contents) && { default: true }),
    })),
  )
}

function isFirstOfChoice(content: Content, contents: Content[]): boolean {
  const { choice } = content
  return choice !== undefined && contents.find((other) => other.choice === choice) === content
}

/** What a customer gets who chooses nothing. */
function pieces(contents: Content[]): { product: NewProduct; quantity: number }[] {
  return contents.flatMap((content) => {
    const { choice, products, quantity = 1 } = content
    if (choice === undefined) return products.map((product) => ({ product, quantity }))
    return isFirstOfChoice(content, contents)
      ? products.slice(0, 1).map((product) => ({ product, quantity }))
      : []
  })
}

function priceOf(contents: Content[], savingPercent: number): number {
  const apart = pieces(contents).reduce(
    (sum, { product, quantity }) => sum + (product.price ?? 0) * quantity,
    0,
  )
  // 107.23 is sold at 106.95.
  return Number((Math.round(apart * (1 - savingPercent / 100)) - 0.05).toFixed(2))
}

function figuresOf({ type, saving_percent }: ProductSet, contents: Content[]): NewProduct['attributes'] {
  const all = pieces(contents)
  if (type === 'grouped') return { sold_separately: true, products_in_group: all.length }
  const weigh = ({ attributes }: NewProduct) => Number(attributes['weight_g'] ?? 0)
  return {
    pieces: all.reduce((sum, { quantity }) => sum + quantity, 0),
    saving_percent: saving_percent ?? 0,
    weight_g: all.reduce((sum, { product, quantity }) => sum + weigh(product) * quantity, 0),
  }
}

/** "In the box: 1 × Dome Tent, 2-Person, your choice of sand or olive; 2 × Self-Inflating Mat, 3 cm, olive." */
function describeContents({ contents: intro, type }: ProductSet, contents: Content[]): string {
  const choices = Map.groupBy(contents, ({ choice }, index) => choice ?? index)
  const lines = choices.values().map((parts) => parts.map((part) => describePart(part, type)).join(' or '))
  return `${intro}: ${[...lines].join('; ')}.`
}

function describePart({ noun, variants, quantity = 1 }: Content, type: ProductSet['type']): string {
  const sizes = [...new Set(variants.map(({ size }) => size))]
  const options = [...new Set(variants.map(({ option }) => option))]
  const counted = type === 'bundle' ? `${quantity} × ${noun}` : noun
  const choice = options.length > 1 ? 'your choice of ' : ''
  return `${counted}, ${either(sizes)}, ${choice}${either(options)}`
}
