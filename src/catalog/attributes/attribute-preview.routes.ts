import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AttributeDefinitionInputSchema } from '../../model/attributes/attribute-definition.schema.ts'
import { abortQueries } from '../../platform/database/abort-queries.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { ExpensiveReads } from '../../platform/http/limits/expensive-reads.ts'
import { ref } from '../../platform/http/openapi.ts'
import { disconnectSignal } from '../../platform/http/response/client-disconnect.ts'
import { AttributePreviewSchema } from './attribute-preview.schema.ts'
import { previewDefinition } from './preview-definition.ts'

export function attributePreviewRoutes(
  database: Queryable,
  { previews }: Pick<ExpensiveReads, 'previews'>,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/attributes/preview',
      {
        config: { scope: 'products:read', writesNothing: true },
        schema: {
          tags: ['Attributes'],
          operationId: 'previewAttribute',
          summary: 'Preview an attribute definition',
          description:
            'Checks up to 20,000 products, spread evenly by ID, against the definition in the body, regardless of its mode. Returns how many products have the attribute, how many would be rejected if the definition were enforced, and the first 100 of these. Writes nothing.',
          body: AttributeDefinitionInputSchema,
          response: { 200: ref(AttributePreviewSchema) },
        },
      },
      async ({ caller: { project_id: projectId }, body }, reply) => {
        const signal = disconnectSignal(reply)
        const reader = abortQueries(database, signal)
        return previews.run(() => previewDefinition(reader, projectId, body), projectId, signal)
      },
    )
  }
}
