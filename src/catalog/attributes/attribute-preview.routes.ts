import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AttributeDefinitionInputSchema } from '../../model/attributes/attribute-definition.schema.ts'
import { untilAborted } from '../../platform/database/abort-queries.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { ExpensiveReads } from '../../platform/http/limits/expensive-reads.ts'
import { ref } from '../../platform/http/openapi.ts'
import { clientLeft } from '../../platform/http/response/client-disconnect.ts'
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
          summary: 'See which products a definition would find fault with',
          description:
            'Checks up to 20,000 products, spread evenly by id, by the definition of the body, whether it is set or not and whatever its mode: how many have the attribute, how many would be refused if it was enforced, and the first 100 of these. It writes nothing.',
          body: AttributeDefinitionInputSchema,
          response: { 200: ref(AttributePreviewSchema) },
        },
      },
      async ({ caller: { project_id: projectId }, body }, reply) => {
        const signal = clientLeft(reply)
        const reader = untilAborted(database, signal)
        return previews.run(() => previewDefinition(reader, projectId, body), projectId, signal)
      },
    )
  }
}
