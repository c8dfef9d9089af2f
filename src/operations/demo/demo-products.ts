import type { NewProduct } from '../../model/product/product-input.schema.ts'
import { offersOf } from './demo-families.ts'
import { spoiled } from './demo-flaws.ts'
import { linked, readDemoLinks } from './demo-links.ts'
import { setOffers } from './demo-sets.ts'
import { type Offer, variantsOf, variantsOfPart } from './offer.ts'
import { readProductLines } from './product-lines.ts'
import { readProductSets } from './product-sets.ts'
import { type Random, seededRandom } from './random.ts'

const poorShare = 0.12

/**
 * A thousand products of a shop with six trades, the same every time; in turns, because variants, bundles and groups name
 * products of the turns before.
 */
export function demoProducts(): NewProduct[][] {
  const [lines, sets] = [readProductLines(), readProductSets()]
  const random = seededRandom(1443)
  const variants = lines.map(variantsOf)
  const allVariants = variants.flat()
  const parts = new Set(
    sets.flatMap(({ versions }) =>
      Object.values(versions).flatMap((all) => all.flatMap((part) => variantsOfPart(part, allVariants))),
    ),
  )
  const single = lines.flatMap((line, index) =>
    offersOf(line, variants[index] ?? [], (variant) => parts.has(variant), random),
  )
  const bySku = new Map(single.map(({ product }) => [product.sku, product]))
  const offers = [...single, ...setOffers(sets, allVariants, bySku, random)]
  const products = random.shuffled(linked(withPoorOnes(offers, random), readDemoLinks()))
  return [isNamed, isVariant, isSet].map((isOfTurn) => products.filter(isOfTurn))
}

const isVariant = ({ parent }: NewProduct) => parent !== null
const isSet = ({ components }: NewProduct) => components.length > 0
const isNamed = (product: NewProduct) => !isVariant(product) && !isSet(product)

function withPoorOnes(offers: Offer[], random: Random): Offer[] {
  const drawn = random.shuffled(offers.filter(({ isPart }) => !isPart))
  const poor = new Map(
    drawn
      .slice(0, Math.round(offers.length * poorShare))
      .map((offer, index) => [offer, spoiled(offer, index, random)]),
  )
  return offers.map((offer) => poor.get(offer) ?? offer)
}
