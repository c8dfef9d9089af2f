import type { NewProduct } from '../../model/product/product-input.schema.ts'
import type { Model, ProductLine } from './product-lines.ts'
import type { Part } from './product-sets.ts'

/** A product of the demo, with what the other products know it by. */
export type Offer = {
  product: NewProduct
  noun: string
  /** Of a variant: the attributes that it cannot be without. */
  axes: readonly string[]
  /** A part of a bundle or group: it is sold for certain, and nothing about it is poor. */
  isPart: boolean
}

/** A model in one size and option: what the shop may sell. */
export type Variant = { line: ProductLine; model: Model; size: string; option: string; number: number }

export function variantsOf(line: ProductLine): Variant[] {
  return line.models
    .flatMap((model) =>
      Object.keys(model.sizes).flatMap((size) =>
        (model.options ?? line.options).map((option) => ({ line, model, size, option })),
      ),
    )
    .map((variant, index) => ({ ...variant, number: index + 1 }))
}

/** The variants that a part of a set stands for. */
export function variantsOfPart(
  { noun, size, option, choice }: Part,
  variants: readonly Variant[],
): Variant[] {
  const models = variants.filter(
    (variant) => variant.model.noun === noun && (size === undefined || variant.size === size),
  )
  const wanted = option ?? models[0]?.option
  const found =
    choice !== undefined && option === undefined
      ? models
      : models.filter((variant) => variant.option === wanted)
  if (found.length === 0) throw new Error(`no product of the demo is ${[noun, size, option].join(', ')}`)
  return found
}
