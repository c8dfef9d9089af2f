import { type Content, type OpenApiDocument, resolve, type Schema } from './document.ts'
import { shapeOf, typesOf, variantsOf } from './schema-text.ts'

/** Realistic values, by property name. */
const sampleValues: Record<string, unknown> = {
  sku: 'MUG-0300',
  name: 'Stoneware mug, 0.3 l',
  description: 'Holds a large coffee and survives the dishwasher.',
  short_description: 'Stoneware mug',
  currency: 'EUR',
  next: null,
  previous: null,
  attributes: { color: 'sage', dishwasher_safe: true },
  rules: [],
}

/** `required`: only required properties, so that the service accepts an example body unchanged. */
type Part = 'all' | 'required'
const deepest = 6

/** The example in the document, or one generated from the schema. */
export function exampleOf(
  { schema, example, examples }: Content,
  document: OpenApiDocument,
  part: Part = 'all',
) {
  if (example !== undefined) return example
  const [first] = Object.values(examples ?? {})
  if (first !== undefined) return resolve(first, document).value
  return schema === undefined ? undefined : sampleOf(schema, document, part)
}

export function sampleOf(
  schema: Schema,
  document: OpenApiDocument,
  part: Part = 'all',
  name = '',
  depth = 0,
): unknown {
  const shape = shapeOf(schema, document)
  if (shape.example !== undefined) return shape.example
  if (shape.examples?.[0] !== undefined) return shape.examples[0]
  if (Object.hasOwn(sampleValues, name)) return sampleValues[name]
  if (shape.const !== undefined) return shape.const
  if (shape.enum !== undefined) return shape.enum[0]
  if (depth > deepest) return null
  const [variant] = variantsOf(shape)
  if (variant !== undefined) return sampleOf(variant, document, part, name, depth + 1)
  if (shape.properties !== undefined) return sampleObject(shape, document, part, depth)
  return sampleValue(shape, document, part, depth)
}

function sampleObject(shape: Schema, document: OpenApiDocument, part: Part, depth: number): unknown {
  const properties = Object.entries(shape.properties ?? {})
  const wanted = properties.filter(([key]) => part === 'all' || shape.required?.includes(key))
  // Changes require nothing: the name is the least harmful property to send.
  const chosen = wanted.length > 0 ? wanted : properties.filter(([key]) => key === 'name')
  return Object.fromEntries(
    chosen.map(([key, property]) => [key, sampleOf(property, document, part, key, depth + 1)]),
  )
}

function sampleValue(shape: Schema, document: OpenApiDocument, part: Part, depth: number): unknown {
  const [type] = typesOf(shape)
  if (type === 'array')
    return typeof shape.items === 'object' ? [sampleOf(shape.items, document, part, '', depth + 1)] : []
  if (type === 'integer') return Math.max(1, Number(shape['minimum'] ?? 1))
  if (type === 'number') return 19.99
  if (type === 'boolean') return true
  if (type === 'object') return {}
  if (type === 'null') return null
  return shape.format === 'date-time' ? '2026-01-31T09:30:00.000Z' : 'text'
}
