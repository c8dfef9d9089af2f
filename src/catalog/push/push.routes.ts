import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import { referencesParameter } from '../../model/product/product.schema.ts'
import { pushBody, pushParameters } from '../../model/product/push-input.schema.ts'
import type { Database } from '../../platform/database/database.ts'
import { acceptLines, type LargeBodyLimits, withLines } from '../../platform/http/body/receive-lines.ts'
import { OneOf, ref } from '../../platform/http/openapi.ts'
import { withoutTag } from '../../platform/http/response/response-headers.ts'
import { shownIn } from '../products/show-product.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import { collectResults, dryRun, PushResponseSchema, pushAtomically, pushProducts } from './push-products.ts'

const PushQuerySchema = Type.Object({
  ...pushParameters,
  on_error: Type.Optional(
    OneOf(['continue', 'abort'], {
      default: 'continue',
      description:
        'continue writes every line that is right; abort writes all or, when one is rejected, none (422)',
    }),
  ),
  ...referencesParameter,
  dry_run: Type.Optional(
    Type.Boolean({ default: false, description: 'Tells what would happen, and writes nothing' }),
  ),
})

export function pushRoutes(
  database: Database,
  rulesets: Rulesets,
  limits: LargeBodyLimits,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    acceptLines(app)

    app.post(
      '/products/bulk',
      {
        config: { scope: 'products:write', problems: ['request_timeout'] },
        schema: {
          tags: ['Products'],
          operationId: 'pushProducts',
          summary: 'Create and change up to 10,000 products, with a verdict for every line',
          description:
            'Each line is a merge patch of the product that has its SKU, or makes the product. The answer has a verdict for each line in order; a rejected line harms no other, unless `on_error=abort` makes it all or nothing. Lines with a `parent` are written after those without, and lines with `components` last. The same push again answers `unchanged`, so it can be repeated after any failure.',
          querystring: PushQuerySchema,
          body: pushBody,
          response: {
            200: withoutTag(ref(PushResponseSchema)),
            422: withoutTag({
              description: 'With on_error=abort: a line was rejected, nothing was written',
              ...ref(PushResponseSchema),
            }),
          },
        },
      },
      async (request, reply) => {
        const { caller, query } = request
        const push = {
          projectId: caller.project_id,
          author: { ...authorOf(caller), source: 'bulk' },
          ruleset: await rulesets.of(caller),
          mode: query.mode ?? 'upsert',
          isStrict: query.references === 'strict',
          show: query.read_only === 'ignore' ? undefined : shownIn(rulesets, caller.currency),
        } as const
        const answer = collectResults()
        const isWhole = query.on_error === 'abort'
        const run = query.dry_run === true ? dryRun : isWhole ? pushAtomically : pushProducts
        await withLines(request, caller.project_id, limits, (lines) => run(database, push, lines, answer))
        const refused = isWhole && answer.summary().rejected > 0
        reply.code(refused ? 422 : 200).type('application/json; charset=utf-8')
        return answer.bytes() as never
      },
    )
  }
}
