import { registeredRoutes } from './registered-routes.ts'

/** The parts of a request schema from which tests generate values. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  examples?: unknown[]
  'x-keyed'?: boolean
  'x-ordering'?: string[]
}

/** A method and a path with `{…}` for parameters, and the inputs of a request. */
export type Operation = {
  method: string
  path: string
  params: Record<string, Schema>
  query: Record<string, Schema>
  headers: string[]
  /** By media type. */
  bodies: Record<string, Schema>
}

type Parameter = { in: string; name: string; schema: Schema }
type Described = {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses?: object
}
type Document = {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

/** The API operations of the served document; paths are relative to the prefix. */
export async function documentedOperations(serviceUrl: string): Promise<Operation[]> {
  const document = (await (await fetch(`${serviceUrl}/openapi.json`)).json()) as Document
  const resolve = resolver((name) => document.components.schemas[name])
  return Object.entries(document.paths)
    .filter(([, item]) => !('servers' in item))
    .flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, described]) => described.responses !== undefined)
        .map(([method, { parameters = [], requestBody }]) => ({
          method: method.toUpperCase(),
          path,
          params: schemasOf(parameters, 'path'),
          query: schemasOf(parameters, 'query'),
          headers: Object.keys(schemasOf(parameters, 'header')),
          bodies: Object.fromEntries(
            Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [type, resolve(schema)]),
          ),
        })),
    )
}

function schemasOf(parameters: Parameter[], place: string): Record<string, Schema> {
  return Object.fromEntries(
    parameters.filter((one) => one.in === place).map(({ name, schema }) => [name, schema]),
  )
}

/** The console's own operations, which no document describes, from their routes; with full paths. */
export async function consoleOperations(): Promise<Operation[]> {
  const { routes } = await registeredRoutes()
  const shared = new Set(routes.filter(({ url }) => url.startsWith('/v2/')).map(({ url }) => url.slice(3)))
  const mount = '/console/api/projects/:project_id'
  return routes
    .filter(({ url, method }) => url.startsWith('/console/') && method !== 'HEAD')
    .filter(({ url }) => !url.startsWith(mount) || !shared.has(url.slice(mount.length)))
    .map(({ method, url, request: { params, querystring, body } }) => ({
      method,
      path: url.replace(/:(\w+)/g, '{$1}'),
      params: (params as Schema | undefined)?.properties ?? {},
      query: (querystring as Schema | undefined)?.properties ?? {},
      headers: [],
      bodies: body === undefined ? {} : { 'application/json': body as Schema },
    }))
}

/** Replaces references by their schemas. */
function resolver(find: (name: string) => Schema | undefined) {
  const resolve = (schema: Schema): Schema => {
    if (schema.$ref !== undefined) return resolve(find(schema.$ref.split('/').at(-1) as string) ?? {})
    return {
      ...schema,
      ...(schema.properties && { properties: mapValues(schema.properties, resolve) }),
      ...(schema.items && { items: resolve(schema.items) }),
      ...(schema.anyOf && { anyOf: schema.anyOf.map(resolve) }),
    }
  }
  return resolve
}

function mapValues<Before, After>(
  values: Record<string, Before>,
  change: (value: Before) => After,
): Record<string, After> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
