import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Queryable } from '../database/database.ts'
import { findReadOnlyReason } from '../database/read-only.ts'
import { closed } from './closed.ts'
import { serviceTag } from './openapi.ts'
import { edgeProblems, problemResponses } from './problem.schema.ts'
import { type ProblemCode, problems } from './problem-catalog.ts'
import { Problem } from './problems.ts'
import { requestIdHeader } from './response/response-headers.ts'
import { alreadyCompressed, compressStatic, type StaticBytes, sendStatic } from './response/static-bytes.ts'

const tags = [serviceTag]
const Status = Type.Object(
  { status: Type.String() },
  { ...closed, description: 'One word', headers: requestIdHeader },
)

// Not for /healthz and /readyz: a load balancer that adds a parameter must not consider the service dead.
const NoParameters = Type.Object({})

/** Health, readiness, the OpenAPI document, and a description of each error. */
export function serviceRoutes(database: Queryable): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/healthz',
      {
        schema: {
          tags,
          operationId: 'isAlive',
          security: [],
          summary: 'Check that the process is running',
          description:
            'For a process supervisor: returns 200 while the process runs, regardless of its database.',
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
          summary: 'Check that the service is ready',
          description:
            'For a load balancer: returns 200 while the service accepts requests, and 503 while it stops or its database is unavailable.',
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
