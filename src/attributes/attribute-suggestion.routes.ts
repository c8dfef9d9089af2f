import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../database/database.ts'
import { ref } from '../http/openapi.ts'
import type { Rulesets } from '../quality/rulesets.ts'
import { AttributeSuggestionsSchema } from './attribute-suggestion.schema.ts'
import { suggestDefinitions } from './suggest-definitions.ts'

export function attributeSuggestionRoutes(database: Database, rulesets: Rulesets): FastifyPluginAsyncTypebox {
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
      async ({ caller, query }) => {
        const { definitions } = await rulesets.of(caller)
        return suggestDefinitions(database, caller.project_id, query.all === true ? [] : definitions)
      },
    )
  }
}
