import { type OpenApiDocument, resolve, type Schema } from './document.ts'

/** The schema with its references followed and the parts of `allOf` put together. */
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

/** The shapes that a value may have, when there are several; null is no shape of its own. */
export function variantsOf(shape: Schema): Schema[] {
  return (shape.oneOf ?? shape.anyOf ?? []).filter((variant) => !isNull(variant))
}

/** What stands inside of an array or a map. */
export function innerSchema({ items, additionalProperties }: Schema): Schema | undefined {
  if (typeof items === 'object') return items
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

export function typesOf({ type }: Schema): string[] {
  return type === undefined ? [] : [type].flat()
}

/** A type as people say it: "string or null", "array of Product", "map of string". */
export function typeText(schema: Schema, document: OpenApiDocument, depth = 0): string {
  const name = schema.$ref?.split('/').at(-1)
  const shape = shapeOf(schema, document)
  const words = depth > 4 ? ['any'] : typeWords(name, shape, document, depth)
  const mayBeNull = [...(shape.oneOf ?? []), ...(shape.anyOf ?? [])].some(isNull)
  return [...new Set(mayBeNull ? [...words, 'null'] : words)].join(' or ')
}

function typeWords(
  name: string | undefined,
  shape: Schema,
  document: OpenApiDocument,
  depth: number,
): string[] {
  const variants = variantsOf(shape)
  if (name !== undefined && (shape.properties !== undefined || variants.length > 1)) return [name]
  if (variants.length > 0) return variants.map((variant) => typeText(variant, document, depth + 1))
  const types = typesOf(shape)
  if (types.length === 0) return [impliedType(shape)]
  return types.map((type) => {
    if (type === 'array' && typeof shape.items === 'object') {
      const items = typeText(shape.items, document, depth + 1)
      return `array of ${items.includes(' or ') ? `(${items})` : items}`
    }
    if (type === 'object' && shape.properties === undefined && typeof shape.additionalProperties === 'object')
      return `map of ${typeText(shape.additionalProperties, document, depth + 1)}`
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

/** What a value must keep to, beyond its type and the values allowed. */
export function constraintsOf(shape: Schema): string[] {
  const bounds: Bounds[] = [
    [shape['minimum'], shape['maximum'], ''],
    [shape['exclusiveMinimum'] && `over ${shape['exclusiveMinimum']}`, undefined, ''],
    [undefined, shape['exclusiveMaximum'] && `under ${shape['exclusiveMaximum']}`, ''],
    [shape['minLength'], shape['maxLength'], ' characters'],
    [shape['minItems'], shape['maxItems'], ' items'],
    [shape['minProperties'], shape['maxProperties'], ' entries'],
  ]
  const texts = bounds.map(boundsText).filter((text) => text !== '')
  if (shape['multipleOf'] !== undefined) texts.push(`a multiple of ${shape['multipleOf']}`)
  if (shape['uniqueItems'] === true) texts.push('no item twice')
  return texts
}

function boundsText([least, most, unit]: Bounds): string {
  // The largest whole number that JSON carries exactly bounds nothing that a reader would send.
  const upper = most === Number.MAX_SAFE_INTEGER ? undefined : most
  if (typeof least === 'string') return least
  if (typeof upper === 'string') return upper
  if (least !== undefined && upper !== undefined) return `${least} to ${upper}${unit}`
  if (least === 1 && unit !== '') return 'not empty'
  if (least !== undefined && (least !== 0 || unit === '')) return `at least ${least}${unit}`
  return upper === undefined ? '' : `at most ${upper}${unit}`
}
