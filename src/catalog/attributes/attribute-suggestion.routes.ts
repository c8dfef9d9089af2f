import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import type { ExpensiveReads } from '../../platform/http/limits/expensive-reads.ts'
import { ref } from '../../platform/http/openapi.ts'
import { clientLeft } from '../../platform/http/response/client-disconnect.ts'
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
          summary: 'Suggest definitions of attributes, from the products',
          description:
            'What the products show of their attributes: how many have each, its types and values, and a definition in the mode `warn` that could be set as it is. Attributes that are defined already are left out, unless `all=true`.',
          querystring: Type.Object({
            all: Type.Optional(
              Type.Boolean({ default: false, description: 'Attributes that are defined already, too' }),
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
          clientLeft(reply),
        )
      },
    )
  }
}
