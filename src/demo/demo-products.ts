import type { NewProduct } from '../products/product-input.schema.ts'
import { mediaOf } from './demo-media.ts'
import { type Model, type ProductLine, readProductLines } from './product-lines.ts'
import { type Random, seededRandom } from './random.ts'

const poorCount = 120

/** A thousand products of a shop with six trades, the same every time. */
export function demoProducts(): NewProduct[] {
  const random = seededRandom(1873)
  const products = random.shuffled(readProductLines().flatMap((line) => productsOf(line, random)))
  const poor = products.slice(0, poorCount).map((product, index) => spoiled(product, index, random))
  return random.shuffled([...poor, ...products.slice(poorCount)])
}

function productsOf(line: ProductLine, random: Random): NewProduct[] {
  const variants = line.models.flatMap((model, index) => variantsOf(line, model, index))
  const parents = line.type === 'simple' ? random.shuffled(line.models).slice(0, 3) : []
  const chosen = random.shuffled(variants.keys().toArray()).slice(0, line.count - parents.length)
  return [
    ...parents.map((model, index) => configurable(line, model, variants.length + index + 1, random)),
    ...chosen.map((index) => single(line, variants[index] as Variant, index + 1, random)),
  ]
}

type Variant = { model: Model; pattern: string; size: string; option: string }

function variantsOf(line: ProductLine, model: Model, index: number): Variant[] {
  const pattern = line.names[index % line.names.length] as string
  return Object.keys(model.sizes).flatMap((size) =>
    (model.options ?? line.options).map((option) => ({ model, pattern, size, option })),
  )
}

function single(line: ProductLine, variant: Variant, number: number, random: Random): NewProduct {
  const { model, pattern, size, option } = variant
  const brand = brandOf(line, model)
  const { price = null, weight_g } = model.sizes[size] ?? {}
  const words = { brand, size, option, Option: titleCase(option), noun: model.noun }
  return {
    ...common(line, model, number, random),
    name: filled(pattern, words),
    description: filled(textOf(line, model, random).join(' '), words),
    short_description: `${[`${model.noun} ${model.point}`, size, option].filter(Boolean).join(', ')}.`,
    price,
    product_type: line.type,
    attributes: {
      ...attributesOf(line, model, { brand, size, option }),
      ...(weight_g !== undefined && { weight_g }),
    },
    media: mediaOf(line, model, number, option),
    inventory: stockOf(line.type, price, random),
  }
}

function configurable(line: ProductLine, model: Model, number: number, random: Random): NewProduct {
  const brand = brandOf(line, model)
  const sizes = Object.keys(model.sizes)
  const options = model.options ?? line.options
  const choices = [choiceOf(line.axis, sizes), choiceOf(line.option, options)]
  const details = textOf(line, model, random).filter((sentence) => !/\{(size|option)\}/i.test(sentence))
  const { price: firstPrice = null } = Object.values(model.sizes)[0] ?? {}
  return {
    ...common(line, model, number, random),
    name: `${brand} ${model.noun}`,
    description: [...details, ...choices].join(' '),
    short_description: `${model.noun} ${model.point}, in ${sizes.length * options.length} variants.`,
    price: random.chance(0.6) ? null : firstPrice,
    product_type: 'configurable',
    attributes: attributesOf(line, model, {
      brand,
      size: sizes.join(', '),
      option: options.join(', '),
    }),
    media: mediaOf(line, model, number, options[0] ?? ''),
    inventory: stockOf('configurable', firstPrice, random),
  }
}

function common(line: ProductLine, model: Model, number: number, random: Random) {
  const places = [model.category ?? [], line.categories].flat()
  return {
    sku: `${line.sku}-${String(number).padStart(4, '0')}`,
    status: statusOf([74, 10, 8, 8], random),
    categories: (random.chance(0.1) ? places.slice(-1) : places).map((place) => ({
      path: place.split('/'),
    })),
  }
}

function brandOf({ brands, models }: ProductLine, model: Model): string {
  return brands[models.indexOf(model) % brands.length] as string
}

function textOf({ details, closings }: ProductLine, { text }: Model, random: Random): string[] {
  const more = random.shuffled(details).slice(0, random.between(1, 2))
  return [text, ...more, ...(random.chance(0.5) ? [random.pick(closings)] : [])]
}

function attributesOf(
  line: ProductLine,
  model: Model,
  { brand, size, option }: { brand: string; size: string; option: string },
): NewProduct['attributes'] {
  const index = line.models.indexOf(model)
  const shared = Object.entries(line.attributes).map(([name, values]) => [
    name,
    values[index % values.length],
  ])
  return {
    brand,
    [line.axis]: size,
    ...(option !== '' && { [line.option]: option }),
    ...Object.fromEntries(shared),
    ...model.attributes,
  }
}

function statusOf(weights: [number, number, number, number], random: Random): NewProduct['status'] {
  const [active, inactive, pending] = weights
  const drawn = random.between(0, 99)
  if (drawn < active) return 'active'
  if (drawn < active + inactive) return 'inactive'
  return drawn < active + inactive + pending ? 'pending' : 'archived'
}

function stockOf(type: NewProduct['product_type'], price: number | null, random: Random) {
  if (type === 'virtual')
    return { tracked: false, quantity: 0, reserved: 0, low_stock_threshold: null, backorders: false }
  const quantity = random.chance(0.1) ? 0 : random.between(1, usualStock(price ?? 100))
  return {
    tracked: random.chance(0.95),
    quantity,
    reserved: random.chance(0.4) ? random.between(0, Math.ceil(quantity / 5)) : 0,
    low_stock_threshold: random.pick([null, 3, 5, 10, 20]),
    backorders: random.chance(0.15),
  }
}

function usualStock(price: number): number {
  if (price < 1) return 40_000
  if (price < 20) return 400
  return price < 100 ? 150 : 40
}

type Flaw = (product: NewProduct, number: number) => Partial<NewProduct>

const shouting: Flaw = ({ name }) => ({ name: name.toUpperCase() })
const terse: Flaw = ({ short_description }) => ({
  name: (/^(?:[A-Z]\S* )+/.exec(short_description)?.[0].trim().split(' ').at(-1) ?? 'item').slice(0, 9),
})
const oddSku: Flaw = (_, number) => ({ sku: `x ${number}` })
const noDescription: Flaw = () => ({ description: '' })
const thinDescription: Flaw = ({ short_description }) => ({ description: short_description.slice(0, 90) })
const noShort: Flaw = () => ({ short_description: '' })
const noPrice: Flaw = () => ({ price: null })
const noCategory: Flaw = () => ({ categories: [] })
const noMedia: Flaw = () => ({ media: [] })
const noAlt: Flaw = ({ media }) => ({ media: media.map((one) => ({ ...one, alt: null })) })
const oneAttribute: Flaw = ({ attributes }) => ({ attributes: { brand: attributes['brand'] ?? '' } })
const blankAttribute: Flaw = ({ attributes }) => ({ attributes: { ...attributes, brand: '' } })

/** From a slip to a stub: together they break every rule of the quality score and reach every grade. */
const flaws: readonly (readonly Flaw[])[] = [
  [shouting],
  [blankAttribute, noCategory],
  [oddSku, noShort],
  [thinDescription, noAlt],
  [noPrice, blankAttribute],
  [noDescription, shouting],
  [noDescription, noShort, noMedia],
  [noPrice, noCategory, oneAttribute, noAlt],
  [thinDescription, noCategory, blankAttribute],
  [noDescription, noPrice, oneAttribute],
  [terse, noDescription, noShort, blankAttribute, noMedia],
  [noDescription, noShort, noPrice, noCategory, oddSku],
  [terse, shouting, thinDescription, noPrice, oneAttribute],
  [terse, shouting, noDescription, noShort, noPrice, noCategory, oneAttribute, oddSku, noMedia],
]

function spoiled(product: NewProduct, index: number, random: Random): NewProduct {
  const poor = { ...product, status: statusOf([40, 25, 25, 10], random) }
  for (const flaw of flaws[index % flaws.length] ?? []) Object.assign(poor, flaw(poor, index + 1))
  return poor
}

function filled(text: string, words: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '')
}

function titleCase(text: string): string {
  return text.replace(/^[a-z]|\s(?!(?:and|on|the)\b)[a-z]/g, (letter) => letter.toUpperCase())
}

function choiceOf(attribute: string, values: readonly string[]): string {
  return `Choice of ${attribute.toLowerCase().replaceAll('_', ' ')}: ${values.join(', ')}.`
}
