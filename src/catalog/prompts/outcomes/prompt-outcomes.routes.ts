import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Database } from '../../../platform/database/database.ts'
import { ref } from '../../../platform/http/openapi.ts'
import { disconnectSignal } from '../../../platform/http/response/client-disconnect.ts'
import { PromptId } from '../prompt.schema.ts'
import { requirePrompt } from '../prompt.sql.ts'
import { listOutcomes } from './list-outcomes.ts'
import { PromptOutcomesSchema } from './prompt-outcomes.schema.ts'

export function promptOutcomeRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/prompts/:id/outcomes',
      {
        config: { scope: 'prompts:read', problems: ['not_found'] },
        schema: {
          tags: ['Prompts'],
          operationId: 'listPromptOutcomes',
          summary: 'List the outcomes of each prompt version',
          description:
            'Returns, for each version that wrote to products, the number of products and writes, the change in quality score, and the share of its values that are still in place. `models` shows how many lines of its runs were accepted, edited or rejected, and their cost. A write names its prompt version in `provenance`.',
          params: PromptId,
          response: { 200: ref(PromptOutcomesSchema) },
        },
      },
      async ({ caller, params: { id } }, reply) => {
        await requirePrompt(database, caller.project_id, id)
        const results = await listOutcomes(database, caller.project_id, id, disconnectSignal(reply))
        return { count: results.length, results }
      },
    )
  }
}
