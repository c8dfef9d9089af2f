import type { NewProduct } from '../../model/product/product-input.schema.ts'
import { statusOf } from './demo-stock.ts'
import { skuOf } from './demo-text.ts'
import { attributesOf, configurable, single } from './demo-variants.ts'
import type { Offer, Variant } from './offer.ts'
import type { ProductLine } from './product-lines.ts'
import type { Random } from './random.ts'

type IsPart = (variant: Variant) => boolean

/** What a line sells: parents with their variants, and one model without a choice; services have no parents. */
export function offersOf(line: ProductLine, variants: Variant[], isPart: IsPart, random: Random): Offer[] {
  const plain = (variant: Variant) => offerOf(variant, single(variant, undefined, false, random))
  if (line.type === 'virtual') return random.shuffled(variants).slice(0, line.count).map(plain)
  const models = random.shuffled(
    Map.groupBy(variants, ({ model }) => model)
      .values()
      .toArray(),
  )
  const alone = models.find((model) => !model.some(isPart))
  const families = models.filter((model) => model !== alone)
  return [
    ...(alone === undefined ? [] : [plain(random.pick(alone))]),
    ...chooseVariants(families, line.count - models.length, isPart, random).flatMap((chosen, index) =>
      familyOf(chosen, skuOf(line.sku, variants.length + index + 1), isPart, random),
    ),
  ]
}

/** So many variants of all families: those that are parts of sets, two at least of each family, and others at random. */
function chooseVariants(families: Variant[][], count: number, isPart: IsPart, random: Random): Variant[][] {
  const first = families.flatMap((family) => {
    const parts = family.filter(isPart)
    const others = random.shuffled(family.filter((variant) => !isPart(variant)))
    return [...parts, ...others.slice(0, Math.max(0, 2 - parts.length))]
  })
  const rest = random.shuffled(families.flat().filter((variant) => !first.includes(variant)))
  const chosen = new Set([...first, ...rest.slice(0, Math.max(0, count - first.length))])
  return families.map((family) => family.filter((variant) => chosen.has(variant)))
}

function familyOf(variants: Variant[], sku: string, isPart: IsPart, random: Random): Offer[] {
  const [{ line, model } = { line: undefined, model: undefined }] = variants
  if (line === undefined || model === undefined) return []
  const axes = [line.axis, line.option].filter(
    (axis) => new Set(variants.map((variant) => attributesOf(variant)[axis])).size > 1,
  )
  const parent = {
    ...configurable(variants, axes, random),
    sku,
    status: variants.some(isPart) ? ('active' as const) : statusOf([84, 8, 5], random),
  }
  return [
    { product: parent, noun: model.noun, axes: [], isPart: false },
    ...variants.map((variant) => ({
      ...offerOf(variant, single(variant, parent, isPart(variant), random)),
      axes,
      isPart: isPart(variant),
    })),
  ]
}

function offerOf({ model }: Variant, product: NewProduct): Offer {
  return { product, noun: model.noun, axes: [], isPart: false }
}
