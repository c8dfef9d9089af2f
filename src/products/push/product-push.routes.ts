import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { Database } from '../../database/database.ts'
import type { ConcurrencyLimit } from '../../database/scheduling/concurrency-limit.ts'
import { ref } from '../../http/openapi.ts'
import { Problem } from '../../http/problems.ts'
import type { ReserveBodyMemory } from '../../http/request/body-memory.ts'
import { refuseCharsets } from '../../http/request/json-body.ts'
import { withLines } from '../../http/request/receive-lines.ts'
import { compileValidator } from '../../http/request/validation.ts'
import { untagged } from '../../http/response/answer-headers.ts'
import { authorOf } from '../../tokens/caller.ts'
import { collectVerdicts } from './collect-verdicts.ts'
import { PushAnswerSchema, PushedProductSchema, PushQuerySchema } from './product-push.schema.ts'
import { pushProducts } from './push-products.ts'

const mediaTypes = ['application/json', 'application/x-ndjson']

/** Each line is checked by itself, as it is read. */
const compileButBody: FastifySchemaCompiler<TSchema> = (part) =>
  part.httpPart === 'body' ? (body: unknown) => ({ value: body }) : compileValidator(part)

type PushLimits = { reserveBodyMemory: ReserveBodyMemory; atOnce: ConcurrencyLimit }

export function productBulkRoutes(
  database: Database,
  { reserveBodyMemory, atOnce }: PushLimits,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.removeAllContentTypeParsers()
    // The handler reads the body itself, as it arrives.
    app.addContentTypeParser(
      mediaTypes,
      async (_request: FastifyRequest, payload: IncomingMessage) => payload,
    )
    app.addContentTypeParser('*', async () => {
      throw new Problem('unsupported_media_type', { detail: `Send the body as ${mediaTypes.join(' or ')}.` })
    })

    app.post(
      '/products/bulk',
      {
        config: { scope: 'products:write', problems: ['request_timeout'] },
        validatorCompiler: compileButBody,
        schema: {
          tags: ['Products'],
          operationId: 'pushProducts',
          summary: 'Create and change up to 10,000 products, with a verdict for every line',
          description:
            'Each line is a merge patch of the product that has its SKU, or makes the product. The answer has a verdict for each line in order; a rejected line harms no other, unless `on_error=abort` makes it all or nothing. The same push again answers `unchanged`, so it can be repeated after any failure.',
          querystring: PushQuerySchema,
          body: {
            content: {
              'application/json': { schema: Type.Array(ref(PushedProductSchema), { maxItems: 10_000 }) },
              'application/x-ndjson': {
                schema: {
                  ...ref(PushedProductSchema),
                  description: 'One product a line; at most 10,000 lines',
                },
              },
            },
          } as unknown as TSchema,
          response: {
            200: untagged(ref(PushAnswerSchema)),
            422: untagged({
              description: 'With on_error=abort: a line was rejected, nothing was written',
              ...ref(PushAnswerSchema),
            }),
          },
        },
      },
      async (request, reply) => {
        const { caller, query } = request
        refuseCharsets(request)
        const push = {
          projectId: caller.project_id,
          author: { ...authorOf(caller), source: 'bulk' },
          mode: query.mode ?? 'upsert',
          onError: query.on_error ?? 'continue',
          dryRun: query.dry_run ?? false,
        } as const
        const answer = collectVerdicts()
        await withLines(request, reserveBodyMemory(caller.project_id), (lines) =>
          atOnce.run(() => pushProducts(database, push, lines, answer), caller.project_id),
        )
        const refused = push.onError === 'abort' && answer.summary().rejected > 0
        reply.code(refused ? 422 : 200).type('application/json; charset=utf-8')
        return answer.bytes() as never
      },
    )
  }
}
