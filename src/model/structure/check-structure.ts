import type { BodyError } from '../../platform/http/problems.ts'
import { structureLimits } from '../limits/products.ts'
import type { Structured } from './structure.schema.ts'

type Scalar = string | number | boolean

/** The types of variants and components: products that are sold by themselves. */
export const componentTypes: readonly string[] = ['simple', 'virtual']
export const composedTypes: readonly string[] = ['bundle', 'grouped']

/** Finds fields that contradict the product type. */
export function findStructureErrors(content: Structured): BodyError[] {
  const { product_type: type, parent, variant_axes, components } = content
  if (parent === null && variant_axes.length === 0 && components.length === 0) return []
  const errors: BodyError[] = []
  const add = (pointer: string, message: string) => void errors.push({ pointer, code: 'wrong_type', message })
  if (parent !== null && !componentTypes.includes(type))
    add('/parent', `is only for ${componentTypes.join(' and ')} products; this product is ${type}`)
  if (variant_axes.length > 0 && type !== 'configurable')
    add('/variant_axes', `are only for configurable products; this product is ${type}. Set them to []`)
  if (components.length > 0 && !composedTypes.includes(type))
    add('/components', `are only for ${composedTypes.join(' and ')} products; this product is ${type}`)
  return errors
}

const tooLong = `must have at most ${structureLimits.axisValueCharacters} characters, because it is a variant axis`

export function findAxisErrors({ attributes }: Structured, axes: readonly string[]): BodyError[] {
  const held = new Map(Object.entries(attributes))
  return axes.flatMap((axis) => {
    const value = held.get(axis)
    const isLong = typeof value === 'string' && value.length > structureLimits.axisValueCharacters
    if (value !== undefined && !Array.isArray(value) && !isLong) return []
    const pointer = `/attributes/${axis.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (isLong) return [{ pointer, code: 'too_long', message: tooLong }]
    return value === undefined
      ? [
          {
            pointer,
            code: 'required',
            message: 'is required, because it is a variant axis of the parent',
          },
        ]
      : [{ pointer, code: 'invalid_type', message: 'must be a single value, because it is a variant axis' }]
  })
}

export function axisValues({ attributes }: Structured, axes: readonly string[]): Scalar[] {
  const held = new Map(Object.entries(attributes))
  return axes.map((axis) => held.get(axis) as Scalar)
}
