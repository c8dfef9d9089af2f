import { Type } from 'typebox'
import { productLimits } from '../limits/products.ts'

type AttributeScalar = string | number | boolean
/** One value, or several. */
export type AttributeValue = AttributeScalar | AttributeScalar[]

const scalarTypes = ['string', 'number', 'boolean']
const description = `A string, a number or a boolean, or an array of 1 to ${productLimits.attributeValues} of them`
// One schema with several types: errors of an anyOf would not show which alternative was meant.
const value = {
  type: [...scalarTypes, 'array'],
  maxLength: productLimits.attributeValueCharacters,
  minItems: 1,
  maxItems: productLimits.attributeValues,
  items: { type: scalarTypes, maxLength: productLimits.attributeValueCharacters },
  description,
}

export const AttributesInput = Type.Unsafe<Record<string, AttributeValue>>({
  type: 'object',
  maxProperties: productLimits.attributes,
  propertyNames: { type: 'string', minLength: 1, maxLength: productLimits.attributeNameCharacters },
  additionalProperties: value,
})
export const AttributesPatch = Type.Unsafe<Record<string, AttributeValue | null>>({
  ...AttributesInput,
  additionalProperties: {
    ...value,
    type: [...value.type, 'null'],
    description: `${description}; null removes the attribute`,
  },
})
export const Attributes = Type.Unsafe<Record<string, AttributeValue>>({
  type: 'object',
  additionalProperties: {
    // Arrays first: otherwise the serializer of pages converts an array to a string.
    type: ['array', ...scalarTypes],
    items: { type: scalarTypes },
    description,
  },
})

/** The values of an attribute as a list. */
export function valueList(one: AttributeValue): AttributeScalar[] {
  return Array.isArray(one) ? one : [one]
}
