type Schema = Record<string, unknown>
type Content = Record<string, { schema?: Schema }>
type Operation = {
  tags?: string[]
  parameters?: object[]
  requestBody?: { required?: boolean; content?: Content }
  responses: Record<string, { headers?: Record<string, object>; content?: Content }>
}
type Document = {
  paths: Record<string, Record<string, object>>
  webhooks: Record<string, object>
  components: { schemas: Record<string, Schema>; headers?: Record<string, object> }
}

/** Stores the name of a request body schema until it becomes a component. */
export const nameKeyword = 'x-name'
/** Stores its examples until then. */
export const examplesKeyword = 'x-examples-of-shape'
/** Marks a request body as optional. */
export const optionalKeyword = 'x-optional'

/** Completes the document of @fastify/swagger. Each step serves clients that are generated from the document. */
export function finishDocument({ paths, webhooks, components }: Document): void {
  const { schemas } = components
  const operations = Object.values(paths).flatMap((item) =>
    Object.values(item).filter((part): part is Operation => 'responses' in part),
  )
  for (const operation of operations) {
    liftOutOfSchemas(operation)
    nameBodies(operation, schemas)
    describePages(operation, schemas)
  }
  components.headers = shareHeaders(operations)
  removeUnused([paths, webhooks], schemas)
  describeDefaults(operations, schemas)
  components.schemas = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The style of a parameter, and whether a header is required, are not part of its value's schema. */
function liftOutOfSchemas({ parameters = [], responses }: Operation): void {
  for (const parameter of parameters) lift(parameter, ['style', 'explode'])
  for (const { headers = {} } of Object.values(responses))
    for (const header of Object.values(headers)) lift(header, ['required'])
}

function lift(outer: { schema?: Schema }, keywords: string[]): void {
  const { schema = {} } = outer
  for (const keyword of keywords) {
    if (!(keyword in schema)) continue
    Object.assign(outer, { [keyword]: schema[keyword] })
    delete schema[keyword]
  }
}

/** Most responses have the same headers. Declaring them once reduces the document to two thirds of its size. */
function shareHeaders(operations: Operation[]): Record<string, object> {
  const shared: Record<string, object> = {}
  const responses = operations.flatMap(({ responses }) => Object.values(responses))
  for (const { headers = {} } of responses)
    for (const [name, header] of Object.entries(headers)) {
      shared[name] ??= header
      const isSame = JSON.stringify(shared[name]) === JSON.stringify(header)
      if (isSame) headers[name] = { $ref: `#/components/headers/${name}` }
    }
  return shared
}

/** A named body is declared once under components, like response schemas. */
function nameBodies({ requestBody }: Operation, schemas: Record<string, Schema>): void {
  for (const media of Object.values(requestBody?.content ?? {})) {
    const {
      [nameKeyword]: name,
      [examplesKeyword]: examples,
      [optionalKeyword]: isOptional,
      ...shape
    } = media.schema ?? {}
    if (requestBody !== undefined && isOptional === true) requestBody.required = false
    if (typeof name !== 'string') continue
    schemas[name] = examples === undefined ? shape : { ...shape, examples }
    media.schema = { $ref: `#/components/schemas/${name}` }
  }
}

/** Declares `next` as the next page in the format of one generator, so that its clients can iterate over a list. */
function describePages(operation: Operation, schemas: Record<string, Schema>): void {
  const reference = operation.responses['200']?.content?.['application/json']?.schema?.['$ref']
  const properties = Object(schemas[String(reference).split('/').at(-1) ?? '']?.['properties'])
  if (!('next' in properties && 'results' in properties)) return
  Object.assign(operation, {
    'x-redoclyPagination': {
      style: 'body-link',
      nextLink: '/next',
      items: '/results',
      limitParam: 'page_size',
    },
  })
}

/** Some named schemas only serialize responses, and the document describes the response with another schema. */
function removeUnused(roots: object, schemas: Record<string, Schema>): void {
  const used = new Set(namesIn(roots))
  for (const name of used) for (const inner of namesIn(schemas[name])) used.add(inner)
  for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name]
}

/**
 * Some generators treat a body field with a default as required. Defaults of body fields are therefore part of the
 * description.
 */
function describeDefaults(operations: Operation[], schemas: Record<string, Schema>): void {
  const bodies = new Set(operations.flatMap(({ requestBody }) => namesIn(requestBody)))
  for (const name of bodies) schemas[name] = withoutDefaults(schemas[name]) as Schema
}

function withoutDefaults(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutDefaults)
  if (typeof part !== 'object' || part === null) return part
  const { default: value, ...rest } = part as Schema
  const inner = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, withoutDefaults(one)]))
  // A property may be called default.
  if (value === undefined || (typeof value === 'object' && value !== null && 'type' in value))
    return value === undefined ? inner : { ...inner, default: withoutDefaults(value) }
  const shown = `Default: \`${JSON.stringify(value)}\``
  return {
    ...inner,
    description: rest['description'] === undefined ? shown : `${rest['description']}. ${shown}`,
  }
}

function namesIn(part: unknown): string[] {
  const references = JSON.stringify(part ?? {}).matchAll(/"#\/components\/schemas\/([^"/]+)"/g)
  return [...references].map(([, name = '']) => name)
}
