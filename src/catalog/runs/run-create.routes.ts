import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requireScope } from '../../access/tokens/authenticate.ts'
import { authorOf } from '../../access/tokens/caller.ts'
import { promptLimits } from '../../model/limits/prompts.ts'
import { runLimits } from '../../model/limits/runs.ts'
import { bulkLimits, type Database } from '../../platform/database/database.ts'
import type { ExpensiveReads } from '../../platform/http/limits/expensive-reads.ts'
import { ref } from '../../platform/http/openapi.ts'
import { repeatProblems, respondOnce } from '../../platform/http/request/idempotency.ts'
import { requestUrl } from '../../platform/http/response/page-envelope.ts'
import { withLocation } from '../../platform/http/response/response-headers.ts'
import { PromptId } from '../prompts/prompt.schema.ts'
import { createRun } from './create-run.ts'
import { planRun, type RunTools } from './plan-run.ts'
import { previewRun } from './preview-run.ts'
import { RunSchema } from './run.schema.ts'
import { showRun } from './run.sql.ts'
import { RunCreateSchema, RunPreviewSchema } from './run-create.schema.ts'

export function runCreateRoutes(
  database: Database,
  tools: RunTools & { secret: () => Promise<string> },
  { runPreviews }: ExpensiveReads,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/prompts/:id/runs',
      {
        bodyLimit: promptLimits.bodyBytes,
        config: {
          scope: 'ai:run',
          maxMembers: runLimits.products,
          problems: ['not_found', 'too_many_runs', 'no_provider', 'view_marking', ...repeatProblems],
        },
        schema: {
          tags: ['Runs'],
          operationId: 'startRun',
          summary: 'Run a prompt for up to 10,000 products',
          description:
            'Selects the products now, and calls the model once per product in the background. Responses become proposals, and change no product until you apply them. Also requires the scope `prompts:read`. With `dry_run`, returns prompts and costs without a call. With an `Idempotency-Key`, you can safely repeat the request for 24 hours.',
          params: PromptId,
          body: RunCreateSchema,
          response: { 200: ref(RunPreviewSchema), 202: withLocation(ref(RunSchema)) },
        },
      },
      async (request, reply) => {
        const { caller, params, body } = request
        requireScope(caller, 'prompts:read')
        const plan = () => planRun(tools, caller, params.id, body)
        if (body.dry_run === true) {
          const { secret } = tools
          const preview = async () => previewRun(database, await plan(), body, await secret())
          return runPreviews.run(preview, caller.project_id)
        }
        const { actor, source } = authorOf(caller)
        const starter = { actor, source, tokenId: caller.token_id === 0 ? null : caller.token_id }
        return respondOnce(
          database,
          request,
          reply,
          async (writable) => {
            const run = await createRun(writable, await plan(), body, starter)
            const location = `${requestUrl(request).replace(/\/prompts\/[^/]+\/runs$/, '')}/runs/${run.id}`
            return { status: 202, location, body: showRun(run) }
          },
          bulkLimits,
        )
      },
    )
  }
}
