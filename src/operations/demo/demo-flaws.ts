import type { NewProduct } from '../../model/product/product-input.schema.ts'
import { statusOf } from './demo-stock.ts'
import type { Offer } from './offer.ts'
import type { Random } from './random.ts'

type Flaw = (product: NewProduct, number: number, axes: readonly string[]) => Partial<NewProduct>

const shouting: Flaw = ({ name }) => ({ name: name.toUpperCase() })
const terse: Flaw = ({ short_description }) => ({
  name: (/^(?:[A-Z]\S* )+/.exec(short_description)?.[0].trim().split(' ').at(-1) ?? 'item').slice(0, 9),
})
/** Not of a parent: its variants name it by its SKU. */
const oddSku: Flaw = ({ product_type, sku }, number) => ({
  sku: product_type === 'configurable' ? sku : `x ${number}`,
})
const noDescription: Flaw = () => ({ description: '' })
const thinDescription: Flaw = ({ short_description }) => ({ description: short_description.slice(0, 90) })
const noShort: Flaw = () => ({ short_description: '' })
const noPrice: Flaw = () => ({ price: null })
const noCategory: Flaw = () => ({ categories: [] })
const noMedia: Flaw = () => ({ media: [] })
const noAlt: Flaw = ({ media }) => ({ media: media.map((one) => ({ ...one, alt: null })) })
/** A variant cannot be without what tells it apart. */
const fewAttributes: Flaw = ({ attributes }, _, axes) => ({
  attributes: Object.fromEntries(
    (axes.length > 0 ? axes : ['brand']).map((name) => [name, attributes[name] ?? '']),
  ),
})
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
  [noPrice, noCategory, fewAttributes, noAlt],
  [thinDescription, noCategory, blankAttribute],
  [noDescription, noPrice, fewAttributes],
  [terse, noDescription, noShort, blankAttribute, noMedia],
  [noDescription, noShort, noPrice, noCategory, oddSku],
  [terse, shouting, thinDescription, noPrice, fewAttributes],
  [terse, shouting, noDescription, noShort, noPrice, noCategory, fewAttributes, oddSku, noMedia],
]

export function spoiled({ product, axes, ...offer }: Offer, index: number, random: Random): Offer {
  const drawn = statusOf([40, 25, 25], random)
  const isKept = product.product_type === 'configurable' || product.status !== 'active'
  const poor = { ...product, status: isKept ? product.status : drawn }
  for (const flaw of flaws[index % flaws.length] ?? []) Object.assign(poor, flaw(poor, index + 1, axes))
  return { ...offer, axes, product: poor }
}
