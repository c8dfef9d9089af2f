import type { Server } from '../platform/http/server.ts'
import type { Arguments } from './tool.ts'

type Parameters = Record<string, object>

/** The query parameters of a route, as the properties of a tool's input. */
export function parametersOf(app: Server, url: string): Parameters {
  const route = app.routeTable.find((one) => one.method === 'GET' && one.url === `/v2${url}`)
  if (route === undefined) throw new Error(`GET ${url} does not exist`)
  const { properties } = route.request.querystring as { properties: Parameters }
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, plain(schema)]))
}

/** The body of a route that creates something, as the properties of a tool's input. */
export function bodyOf(app: Server, url: string): { properties: Parameters; required: string[] } {
  const route = app.routeTable.find((one) => one.method === 'POST' && one.url === `/v2${url}`)
  if (route === undefined) throw new Error(`POST ${url} does not exist`)
  return route.request.body as { properties: Parameters; required: string[] }
}

/** Without the keywords that only our own documents know. */
function plain(schema: object): object {
  const known = Object.entries(schema).filter(
    ([keyword]) => !keyword.startsWith('x-') && !['style', 'explode'].includes(keyword),
  )
  return Object.fromEntries(known)
}

/** The arguments of a tool as the query of its route. */
export function queryOf(args: Arguments): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(args)) {
    if (Array.isArray(value)) query.set(name, value.join(','))
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) query.set(`${name}[${key}]`, String(inner))
    else query.set(name, String(value))
  }
  return query
}
