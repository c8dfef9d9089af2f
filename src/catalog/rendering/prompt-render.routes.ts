import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requireScope } from '../../access/tokens/authenticate.ts'
import { promptLimits } from '../../model/limits/prompts.ts'
import type { Database } from '../../platform/database/database.ts'
import { ref } from '../../platform/http/openapi.ts'
import { PromptId } from '../prompts/prompt.schema.ts'
import { RenderedPromptSchema, RenderRequestSchema } from './prompt-render.schema.ts'
import { renderPrompt } from './render-prompt.ts'

export function promptRenderRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/prompts/:id/render',
      {
        bodyLimit: promptLimits.bodyBytes,
        // Rendering changes nothing, so the scope to read is enough.
        config: { scope: 'prompts:read', problems: ['not_found'], writesNothing: true },
        schema: {
          tags: ['Prompts'],
          operationId: 'renderPrompt',
          summary: 'Render a prompt template',
          description:
            'Fills in the variables of a version: the one that `label` or `version_number` names, or the latest. Values come from `variables` and from the fields of the product `product_id`. The error names every missing variable, and the response lists the given variables that the text does not use. Nothing is stored.',
          params: PromptId,
          body: RenderRequestSchema,
          response: { 200: ref(RenderedPromptSchema) },
        },
      },
      async ({ caller, params: { id }, body }) => {
        if (body.product_id !== undefined) requireScope(caller, 'products:read')
        return renderPrompt(database, { id: caller.project_id, currency: caller.currency }, id, body)
      },
    )
  }
}
