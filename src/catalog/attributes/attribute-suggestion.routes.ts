import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import type { ExpensiveReads } from '../../platform/http/limits/expensive-reads.ts'
import { ref } from '../../platform/http/openapi.ts'
import { disconnectSignal } from '../../platform/http/response/client-disconnect.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import { AttributeSuggestionsSchema } from './attribute-suggestion.schema.ts'
import { suggestDefinitions } from './suggest-definitions.ts'

export function attributeSuggestionRoutes(
  database: Database,
  rulesets: Rulesets,
  { suggestions }: Pick<ExpensiveReads, 'suggestions'>,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/attribute-suggestions',
      {
        config: { scope: 'products:read' },
        schema: {
          tags: ['Attributes'],
          operationId: 'suggestAttributes',
          summary: 'Suggest attribute definitions',
          description:
            'Returns, for each attribute, how many products have it, its types and values, and a suggested definition in mode `warn` that you can create unchanged. Attributes that are already defined are left out unless `all=true`.',
          querystring: Type.Object({
            all: Type.Optional(
              Type.Boolean({ default: false, description: 'Include attributes that are already defined' }),
            ),
          }),
          response: { 200: ref(AttributeSuggestionsSchema) },
        },
      },
      async ({ caller, query }, reply) => {
        const { definitions } = await rulesets.of(caller)
        const leftOut = query.all === true ? [] : definitions
        return suggestions.run(
          () => suggestDefinitions(database, caller.project_id, leftOut),
          caller.project_id,
          disconnectSignal(reply),
        )
      },
    )
  }
}
