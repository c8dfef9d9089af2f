import type { RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { problemResponses } from './problem.schema.ts'
import type { ProblemCode } from './problems.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Errors of this route beyond those that every API route shares. */
    problems?: readonly ProblemCode[]
  }
}

const shared: readonly ProblemCode[] = [
  'malformed_request',
  'invalid_parameters',
  'not_authenticated',
  'invalid_token',
  'api_access_locked',
  'insufficient_scope',
  'rate_limited',
  'internal_error',
  'database_unavailable',
  'query_timeout',
]
const withBody: readonly ProblemCode[] = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'invalid_body',
]

const notModified = { 304: Type.Null({ description: 'The client has it already (If-None-Match)' }) }

/** What holds for every API route: a scope, strict parameters, a token in the document, and the errors it may answer. */
export function apiRouteRules(route: RouteOptions): void {
  if (route.config?.scope === undefined) throw new Error(`${route.url} declares no scope`)
  const schema = route.schema ?? {}
  const isRead = [route.method].flat().some((method) => method === 'GET')
  const codes = [...shared, ...(schema.body === undefined ? [] : withBody), ...(route.config.problems ?? [])]
  route.schema = {
    querystring: Type.Object({}),
    ...schema,
    security: [{ token: [] }],
    response: { ...(isRead ? notModified : {}), ...(schema.response as object), ...problemResponses(codes) },
  }
}
