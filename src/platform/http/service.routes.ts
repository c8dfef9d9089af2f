import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Queryable } from '../database/database.ts'
import { findReadOnlyReason } from '../database/read-only.ts'
import { closed } from './closed.ts'
import { serviceTag } from './openapi.ts'
import { edgeProblems, problemResponses } from './problem.schema.ts'
import { Problem, type ProblemCode, problems } from './problems.ts'
import { requestIdHeader } from './response/response-headers.ts'
import { alreadyCompressed, compressStatic, type StaticBytes, sendStatic } from './response/static-bytes.ts'

const tags = [serviceTag]
const Status = Type.Object(
  { status: Type.String() },
  { ...closed, description: 'One word', headers: requestIdHeader },
)

// Not for /healthz and /readyz: a load balancer that adds a parameter of its own must not take the service for dead.
const NoParameters = Type.Object({})

/** Health, readiness, the OpenAPI document, and an explanation of each error. */
export function serviceRoutes(database: Queryable): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/healthz',
      {
        schema: {
          tags,
          operationId: 'isAlive',
          security: [],
          summary: 'The process lives',
          description:
            'For a process supervisor: answers as long as the process runs, whatever the state of its database.',
          response: { 200: Status, ...problemResponses(edgeProblems) },
        },
      },
      async () => ({
        status: 'ok',
      }),
    )

    app.get(
      '/readyz',
      {
        schema: {
          tags,
          operationId: 'isReady',
          security: [],
          summary: 'The service takes requests',
          description:
            'For a load balancer: 200 while requests are taken, 503 while the service stops or its database is away.',
          response: {
            200: Status,
            ...problemResponses([
              ...edgeProblems,
              'not_ready',
              'database_unavailable',
              'query_timeout',
              'too_busy',
            ]),
          },
        },
      },
      async () => {
        if (app.leaving !== undefined) throw new Problem('not_ready')
        const readOnly = await findReadOnlyReason(database)
        if (readOnly !== undefined)
          throw new Problem('not_ready', { detail: `The service cannot write: ${readOnly}.` })
        return { status: 'ready' }
      },
    )

    let document: Promise<StaticBytes> | undefined
    app.get(
      '/openapi.json',
      { ...alreadyCompressed, schema: { hide: true, querystring: NoParameters } },
      async (request, reply) => {
        document ??= compressStatic(
          'application/json; charset=utf-8',
          Buffer.from(JSON.stringify(app.swagger())),
        )
        return sendStatic(request, reply, await document)
      },
    )

    app.get<{ Params: { code: string } }>(
      '/errors/:code',
      { schema: { hide: true, querystring: NoParameters } },
      async ({ params: { code } }, reply) => {
        if (!Object.hasOwn(problems, code)) throw new Problem('unknown_route')
        const { status, title, detail } = problems[code as ProblemCode]
        reply
          .type('text/markdown; charset=utf-8')
          .send(`# ${title}\n\n\`${code}\`, status ${status}.\n\n${detail}\n`)
      },
    )
  }
}
