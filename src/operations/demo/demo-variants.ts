import type { NewProduct } from '../../model/product/product-input.schema.ts'
import { mediaOf } from './demo-media.ts'
import { noStock, statusOf, stockOf } from './demo-stock.ts'
import { filled, pathsOf, sentencesOf, skuOf, titleCase } from './demo-text.ts'
import type { Variant } from './offer.ts'
import type { Random } from './random.ts'

/** One size and option of a model. */
export function single(
  variant: Variant,
  parent: NewProduct | undefined,
  isPart: boolean,
  random: Random,
): NewProduct {
  const { line, model, size, option, number } = variant
  const pattern = line.names[line.models.indexOf(model) % line.names.length] as string
  const words = { brand: brandOf(variant), size, option, Option: titleCase(option), noun: model.noun }
  const price = priceOf(variant)
  const drawn = statusOf([74, 10, 8], random)
  // Nobody can buy a variant of what is not on sale.
  const status = parent !== undefined && parent.status !== 'active' ? parent.status : drawn
  return {
    ...common(variant, random),
    sku: skuOf(line.sku, number),
    name: filled(pattern, words),
    description: filled(sentencesOf({ ...line, ...model }, random).join(' '), words),
    short_description: `${[`${model.noun} ${model.point}`, size, option].filter(Boolean).join(', ')}.`,
    price,
    status: isPart ? 'active' : status,
    product_type: line.type,
    parent: parent === undefined ? null : { sku: parent.sku },
    attributes: attributesOf(variant),
    media: mediaOf({ ...line, ...model }, number, option),
    inventory: stockOf(line.type, price, isPart, random),
  }
}

/** What stands for all variants of a model. */
export function configurable(variants: Variant[], axes: string[], random: Random): Omit<NewProduct, 'sku'> {
  const [variant] = variants as [Variant]
  const { line, model, number, option } = variant
  const prices = new Set(variants.map(priceOf))
  const isOfAll = (sentence: string) => !/\{(size|option)\}/i.test(sentence)
  const isShared = ([name]: [string, unknown]) => !axes.includes(name) && name !== 'weight_g'
  return {
    ...common(variant, random),
    name: `${brandOf(variant)} ${model.noun}`,
    description: [...sentencesOf({ ...line, ...model }, random).filter(isOfAll), choiceOf(axes)].join(' '),
    short_description: `${model.noun} ${model.point}. ${choiceOf(axes)}`,
    price: prices.size === 1 ? priceOf(variant) : null,
    status: 'active',
    product_type: 'configurable',
    variant_axes: axes,
    attributes: Object.fromEntries(Object.entries(attributesOf(variant)).filter(isShared)),
    media: mediaOf({ ...line, ...model }, number, option),
    inventory: noStock,
  }
}

function common({ line, model }: Variant, random: Random) {
  const places = [model.category ?? [], line.categories].flat()
  return {
    parent: null,
    variant_axes: [],
    components: [],
    links: {},
    categories: pathsOf(random.chance(0.1) ? places.slice(-1) : places),
  }
}

function priceOf({ model, size }: Variant): number {
  return model.sizes[size]?.price ?? 0
}

function brandOf({ line: { brands, models }, model }: Variant): string {
  return brands[models.indexOf(model) % brands.length] as string
}

export function attributesOf(variant: Variant): NewProduct['attributes'] {
  const { line, model, size, option } = variant
  const index = line.models.indexOf(model)
  const shared = Object.entries(line.attributes).map(([name, values]) => [
    name,
    values[index % values.length],
  ])
  const weight_g = model.sizes[size]?.weight_g
  return {
    brand: brandOf(variant),
    [line.axis]: size,
    ...(option !== '' && { [line.option]: option }),
    ...Object.fromEntries(shared),
    ...model.attributes,
    ...(weight_g !== undefined && { weight_g }),
  }
}

function choiceOf(axes: string[]): string {
  const words = axes.map((axis) => `the ${axis.toLowerCase().replaceAll('_', ' ')}`)
  return `Choose ${words.join(' and ')}.`
}
