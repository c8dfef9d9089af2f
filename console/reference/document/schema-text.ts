import { strings } from '../strings.ts'
import { type OpenApiDocument, resolve, type Schema } from './document.ts'

/** Resolves references and merges `allOf`. */
export function shapeOf(schema: Schema, document: OpenApiDocument, depth = 0): Schema {
  const { allOf, ...own }: Schema = resolve(schema, document)
  if (allOf === undefined || depth > 8) return own
  const parts = [...allOf.map((part) => shapeOf(part, document, depth + 1)), own]
  const merged: Schema = Object.assign({}, ...parts)
  const properties = Object.assign({}, ...parts.map((part) => part.properties))
  if (Object.keys(properties).length > 0) merged.properties = properties
  merged.required = parts.flatMap((part) => part.required ?? [])
  return merged
}

const isNull = ({ type, const: only }: Schema) => type === 'null' || only === null

/** The variants of a schema, without null. */
export function variantsOf(shape: Schema): Schema[] {
  return (shape.oneOf ?? shape.anyOf ?? []).filter((variant) => !isNull(variant))
}

/** The schema of array items or map values. */
export function innerSchema({ items, additionalProperties }: Schema): Schema | undefined {
  if (typeof items === 'object') return items
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

export function typesOf({ type }: Schema): string[] {
  return type === undefined ? [] : [type].flat()
}

/** For example "string or null", "array of Product", "map of string". */
export function schemaTypeText(schema: Schema, document: OpenApiDocument, depth = 0): string {
  const name = schema.$ref?.split('/').at(-1)
  const shape = shapeOf(schema, document)
  const words = depth > 4 ? ['any'] : typeWords(name, shape, document, depth)
  const mayBeNull = [...(shape.oneOf ?? []), ...(shape.anyOf ?? [])].some(isNull)
  return strings.schema.union([...new Set(mayBeNull ? [...words, 'null'] : words)])
}

function typeWords(
  name: string | undefined,
  shape: Schema,
  document: OpenApiDocument,
  depth: number,
): string[] {
  const variants = variantsOf(shape)
  if (name !== undefined && (shape.properties !== undefined || variants.length > 1)) return [name]
  if (variants.length > 0) return variants.map((variant) => schemaTypeText(variant, document, depth + 1))
  const types = typesOf(shape)
  if (types.length === 0) return [impliedType(shape)]
  return types.map((type) => {
    if (type === 'array' && typeof shape.items === 'object') {
      const items = schemaTypeText(shape.items, document, depth + 1)
      return strings.schema.array(items.includes(' or ') ? `(${items})` : items)
    }
    if (type === 'object' && shape.properties === undefined && typeof shape.additionalProperties === 'object')
      return strings.schema.map(schemaTypeText(shape.additionalProperties, document, depth + 1))
    return type === 'string' && shape.format !== undefined ? shape.format : type
  })
}

function impliedType({ properties, items, enum: values, const: only }: Schema): string {
  if (properties !== undefined) return 'object'
  if (items !== undefined) return 'array'
  if (values !== undefined || only !== undefined) return 'value'
  return 'any'
}

type Bounds = [least: unknown, most: unknown, unit: string]

/** The constraints of a value, except type and allowed values. */
export function constraintsOf(shape: Schema): string[] {
  const bounds: Bounds[] = [
    [shape['minimum'], shape['maximum'], ''],
    [shape['exclusiveMinimum'] && strings.schema.over(shape['exclusiveMinimum']), undefined, ''],
    [undefined, shape['exclusiveMaximum'] && strings.schema.under(shape['exclusiveMaximum']), ''],
    [shape['minLength'], shape['maxLength'], strings.schema.characters],
    [shape['minItems'], shape['maxItems'], strings.schema.items],
    [shape['minProperties'], shape['maxProperties'], strings.schema.entries],
  ]
  const texts = bounds.map(boundsText).filter((text) => text !== '')
  if (shape['multipleOf'] !== undefined) texts.push(strings.schema.multipleOf(shape['multipleOf']))
  if (shape['uniqueItems'] === true) texts.push(strings.schema.unique)
  return texts
}

function boundsText([least, most, unit]: Bounds): string {
  // The largest exact integer of JSON is no useful limit.
  const upper = most === Number.MAX_SAFE_INTEGER ? undefined : most
  if (typeof least === 'string') return least
  if (typeof upper === 'string') return upper
  if (least !== undefined && upper !== undefined) return strings.schema.range(least, upper, unit)
  if (least === 1 && unit !== '') return strings.schema.notEmpty
  if (least !== undefined && (least !== 0 || unit === '')) return strings.schema.atLeast(least, unit)
  return upper === undefined ? '' : strings.schema.atMost(upper, unit)
}
