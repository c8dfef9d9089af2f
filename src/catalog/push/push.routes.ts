import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import { referencesParameter } from '../../model/product/product.schema.ts'
import { pushBody, pushParameters } from '../../model/product/push-input.schema.ts'
import { showChanges } from '../../model/product/show-media.ts'
import type { Database } from '../../platform/database/database.ts'
import { acceptLines, type LargeBodyLimits, withLines } from '../../platform/http/body/receive-lines.ts'
import { OneOf, ref } from '../../platform/http/openapi.ts'
import { withoutTag } from '../../platform/http/response/response-headers.ts'
import { shownIn, type View, viewOf } from '../products/show-product.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import {
  collectResults,
  dryRun,
  PushResponseSchema,
  pushAtomically,
  pushProducts,
  type Report,
} from './push-products.ts'

const PushQuerySchema = Type.Object({
  ...pushParameters,
  on_error: Type.Optional(
    OneOf(['continue', 'abort'], {
      default: 'continue',
      description:
        '`continue` writes every valid line. `abort` writes all lines atomically, or none and returns 422 if a line is rejected.',
    }),
  ),
  ...referencesParameter,
  dry_run: Type.Optional(
    Type.Boolean({ default: false, description: 'Returns the results without writing anything' }),
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
        config: { scope: 'products:write', problems: ['request_timeout', 'view_currency_changed'] },
        schema: {
          tags: ['Products'],
          operationId: 'pushProducts',
          summary: 'Create or update up to 10,000 products, with a result for each line',
          description:
            'Each line is a merge patch for the product with its SKU, or creates the product. The response has one result per line, in order. A rejected line does not affect the others, unless `on_error=abort` makes the push atomic. Lines with a `parent` are written after lines without one, and lines with `components` last. You can repeat a push after any failure: lines that are already written return `unchanged`.',
          querystring: PushQuerySchema,
          body: pushBody,
          response: {
            200: withoutTag(ref(PushResponseSchema)),
            422: withoutTag({
              description: 'With on_error=abort: a line was rejected, and nothing was written',
              ...ref(PushResponseSchema),
            }),
          },
        },
      },
      async (request, reply) => {
        const { caller, query } = request
        const view = viewOf(request)
        const push = {
          projectId: caller.project_id,
          author: { ...authorOf(caller), source: 'bulk' },
          ruleset: await rulesets.of(caller),
          mode: query.mode ?? 'upsert',
          isStrict: query.references === 'strict',
          show: query.read_only === 'ignore' ? undefined : shownIn(rulesets, view),
        } as const
        const results = collectResults()
        const report = query.dry_run === true ? withShownChanges(results, view) : results
        const isAtomic = query.on_error === 'abort'
        const run = query.dry_run === true ? dryRun : isAtomic ? pushAtomically : pushProducts
        await withLines(request, caller.project_id, limits, (lines) => run(database, push, lines, report))
        const isRejected = isAtomic && results.summary().rejected > 0
        reply.code(isRejected ? 422 : 200).type('application/json; charset=utf-8')
        return results.bytes() as never
      },
    )
  }
}

function withShownChanges(report: Report, { baseUrl }: View): Report {
  return {
    ...report,
    add: (results) =>
      report.add(
        results.map(({ changes = {}, ...line }) => ({ ...line, changes: showChanges(changes, baseUrl) })),
      ),
  }
}
