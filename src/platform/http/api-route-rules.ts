import type { RouteOptions } from 'fastify'
import { type TObject, type TSchema, Type } from 'typebox'
import { edgeProblems, problemResponses } from './problem.schema.ts'
import type { ProblemCode } from './problem-catalog.ts'
import { hintAtPageSize, hintHeader } from './response/page-envelope.ts'
import {
  apiProblemHeaders,
  callerHeaders,
  droppedResponse,
  requestIdHeader,
  tagHeaders,
} from './response/response-headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Errors of this route in addition to those of every API route. */
    problems?: readonly ProblemCode[]
  }
}

const shared: readonly ProblemCode[] = [
  ...edgeProblems,
  'invalid_parameters',
  'not_authenticated',
  'invalid_token',
  'api_access_locked',
  'insufficient_scope',
  'rate_limited',
  'internal_error',
  'database_unavailable',
  'query_timeout',
  'too_busy',
]
// Routes without a body read it too, if the client sends one.
const onWrite: readonly ProblemCode[] = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'request_timeout',
  'outcome_unknown',
]
const withBody: readonly ProblemCode[] = [
  'invalid_body',
  // The project can be deleted during the request.
  'not_found',
]

const notModified = Type.Null({
  description: 'Not modified: the ETag in If-None-Match is current',
  headers: { ...requestIdHeader, ...callerHeaders, ...tagHeaders },
})

/** Applies to every API route: a scope, strict parameters, a documented token, and the errors that it can return. */
export function apiRouteRules(route: RouteOptions): void {
  const scope = route.config?.scope
  if (route.config === undefined || scope === undefined) throw new Error(`${route.url} declares no scope`)
  const schema = route.schema ?? {}
  const isRead = [route.method].flat().some((method) => method === 'GET' || method === 'HEAD')
  const codes = [
    ...shared,
    ...(isRead ? [] : onWrite),
    ...(schema.body === undefined || route.config.takesFile === true ? [] : withBody),
    // A malformed name in the path does not exist.
    ...(schema.params === undefined ? [] : (['not_found'] as const)),
    ...(route.config.problems ?? []),
  ]
  const query = (schema.querystring ?? Type.Object({})) as TObject
  const isPaged = 'page_size' in query.properties
  route.schema = {
    ...schema,
    querystring: { ...query, properties: mapValues(query.properties, withAliases) },
    headers: Type.Object(requestHeaders(isRead, codes, route.config.checksRevision)),
    security: [{ token: scope === 'any' ? [] : [scope] }],
    response: mapValues(schema.response as Record<string, object>, (shape) =>
      described(shape, schema.summary, isPaged),
    ),
  }
  if (isPaged)
    route.preHandler = [hintAtPageSize, ...([route.preHandler ?? []].flat() as (typeof hintAtPageSize)[])]
  const documented = Object.keys(schema.response as object)
  route.config.documentedResponses = () => ({
    ...(isRead && { 304: notModified }),
    ...(!isRead &&
      route.config?.writesNothing !== true &&
      !documented.includes('204') && { 204: droppedResponse }),
    ...documentedProblems(codes, documented),
  })
}

function documentedProblems(codes: readonly ProblemCode[], documented: string[]): Record<string, object> {
  const problems = Object.entries(problemResponses(codes))
    .filter(([status]) => !documented.includes(status))
    .map(([status, response]) => [
      status,
      { ...response, headers: { ...response.headers, ...apiProblemHeaders(status) } },
    ])
  return Object.fromEntries(problems)
}

function requestHeaders(
  isRead: boolean,
  codes: readonly ProblemCode[],
  checksRevision = false,
): Record<string, TSchema> {
  const optional = (description: string) => Type.Optional(Type.String({ description }))
  return {
    ...(isRead && {
      'If-None-Match': optional('ETag of a previous response; returns 304 if the response has not changed'),
    }),
    ...(codes.includes('invalid_body') && {
      'Content-Encoding': Type.Optional(
        Type.String({
          enum: ['gzip'],
          description: 'The body is compressed; its limits apply to the decompressed size',
        }),
      ),
    }),
    ...(codes.includes('precondition_failed') &&
      !checksRevision && {
        'If-Match': optional('ETag of the version that you read; returns 412 if the version has changed'),
      }),
    ...(codes.includes('idempotency_mismatch') && {
      'Idempotency-Key': optional('For 24 hours, the same key and body return the first response again'),
    }),
  }
}

type Parameter = { description?: string; 'x-aliases'?: string[] }

function withAliases(parameter: Parameter): Parameter {
  const { description, 'x-aliases': aliases } = parameter
  if (aliases === undefined) return parameter
  return {
    ...parameter,
    description: `${description === undefined ? '' : `${description}. `}${aliases.length === 1 ? 'Alias' : 'Aliases'}: ${aliases.join(', ')}`,
  }
}

function described(
  shape: { type?: string; headers?: object },
  summary: string | undefined,
  isPaged: boolean,
): object {
  const { headers = shape.type === 'null' ? {} : tagHeaders } = shape
  const hints = isPaged ? hintHeader : {}
  return {
    description: summary,
    ...shape,
    headers: { ...requestIdHeader, ...callerHeaders, ...hints, ...headers },
  }
}

function mapValues<Value>(
  object: Record<string, Value>,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}
