/** The parts of an OpenAPI 3.1 document that the reference shows. */
export type Schema = {
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  example?: unknown
  examples?: unknown[]
  deprecated?: boolean
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: boolean | Schema
  prefixItems?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
} & { [constraint: string]: unknown }

export type Server = { url: string; description?: string }
type Examples = Record<string, { value?: unknown; $ref?: string }>
export type Content = { schema?: Schema; example?: unknown; examples?: Examples }
export type Contents = Record<string, Content>
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required?: boolean
  deprecated?: boolean
  description?: string
  style?: string
  explode?: boolean
  schema?: Schema
  example?: unknown
}
type Header = { description?: string; schema?: Schema }
export type ResponseObject = { description?: string; headers?: Record<string, Header>; content?: Contents }
export type Body = { description?: string; required?: boolean; content?: Contents }
type Security = Record<string, string[]>[]
export type DescribedOperation = {
  operationId?: string
  summary?: string
  description?: string
  deprecated?: boolean
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: Body
  responses?: Record<string, ResponseObject>
  security?: Security
  servers?: Server[]
}

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
export type Method = (typeof methods)[number]
type PathItem = { parameters?: Parameter[]; servers?: Server[] } & { [method in Method]?: DescribedOperation }

export type OpenApiDocument = {
  info?: { title?: string; version?: string; description?: string }
  tags?: { name: string; description?: string }[]
  servers?: Server[]
  security?: Security
  paths: Record<string, PathItem>
  components?: Record<string, Record<string, unknown>>
}

const maxHops = 16

/** Resolves `$ref`. Siblings of the reference take precedence over its target. */
export function resolve<Value extends object>(
  value: Value,
  document: OpenApiDocument,
  hops = 0,
): Omit<Value, '$ref'> & { $ref?: never } {
  const { $ref, ...rest } = value as Value & { $ref?: string }
  if ($ref === undefined) return value as Value & { $ref?: never }
  const target = hops < maxHops ? findReference($ref, document) : undefined
  return target === undefined
    ? (rest as never)
    : ({ ...resolve(target, document, hops + 1), ...rest } as never)
}

function findReference(reference: string, document: OpenApiDocument): object | undefined {
  if (!reference.startsWith('#/')) return undefined
  let found: unknown = document
  for (const part of reference.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[key] : undefined
  }
  return typeof found === 'object' && found !== null ? found : undefined
}
