const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
type Method = (typeof methods)[number]

type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  format?: string
  description?: string
  default?: unknown
}
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Schema }
type PathItem = { parameters?: Parameter[] } & {
  [method in Method]?: {
    summary?: string
    tags?: string[]
    parameters?: Parameter[]
    responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>
  }
}

/** What the preview reads of /openapi.json. */
export type OpenApiDocument = {
  tags?: { name: string }[]
  paths: Record<string, PathItem>
  components?: { schemas?: Record<string, Schema> }
}

export type Operation = {
  method: Method
  path: string
  tag: string
  summary: string
  parameters: Parameter[]
  answer: Schema | undefined
}

/** Every call that needs a token, in the order of the document; the service's own routes are open to all. */
export function operationsOf({ paths }: OpenApiDocument): Operation[] {
  const operations: Operation[] = []
  for (const [path, item] of Object.entries(paths)) {
    for (const method of methods) {
      const found = item[method]
      const tag = found?.tags?.[0]
      if (found === undefined || tag === undefined || tag === 'Service') continue
      operations.push({
        method,
        path,
        tag,
        summary: found.summary ?? '',
        parameters: [...(item.parameters ?? []), ...(found.parameters ?? [])],
        answer: found.responses?.['200']?.content?.['application/json']?.schema,
      })
    }
  }
  return operations
}

/** Values that read like a catalog, by the name of the property. */
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

/** An answer made up from its schema, for a project that has no data to show. */
export function sampleOf(
  schema: Schema | undefined,
  document: OpenApiDocument,
  name = '',
  depth = 0,
): unknown {
  if (schema === undefined || depth > 6) return null
  if (name in sampleValues) return sampleValues[name]
  if (schema.$ref !== undefined) {
    const shape = schema.$ref.split('/').at(-1) ?? ''
    return sampleOf(document.components?.schemas?.[shape], document, '', depth + 1)
  }
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf[0], document, name, depth + 1)
  if (schema.enum !== undefined) return schema.enum[0]
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (schema.properties !== undefined)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([key, property]) => [
        key,
        sampleOf(property, document, key, depth + 1),
      ]),
    )
  if (type === 'array') return [sampleOf(schema.items, document, '', depth + 1)]
  if (type === 'integer') return 1
  if (type === 'number') return 19.99
  if (type === 'boolean') return true
  if (type === 'object') return {}
  return schema.format === 'date-time' ? '2026-01-31T09:30:00.000Z' : 'text'
}
