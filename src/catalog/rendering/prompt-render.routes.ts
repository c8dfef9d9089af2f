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
          summary: 'Fill the variables of a version: by label, by number, or of the latest',
          description:
            'Values come from `variables` and from the fields of a product, by `product_id`. Every missing variable is named in the error; those that the text does not use are listed in the answer. Nothing is kept.',
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
