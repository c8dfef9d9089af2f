import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '../../../access/tokens/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ref } from '../../../platform/http/openapi.ts'
import { withoutTimeout } from '../../../platform/http/request/without-timeout.ts'
import { CategoryMergedSchema, CategoryMergeSchema } from '../../categories/category.schema.ts'
import type { Rulesets } from '../../rulesets/rulesets.ts'
import { mergeCategory } from './merge-category.ts'

const Id = Type.Object({ id: Type.Integer({ description: 'Category identifier' }) })

export function categoryMergeRoutes(database: Database, rulesets: Rulesets): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/categories/:id/merge',
      {
        config: { scope: 'products:write', problems: ['not_found', 'duplicate_name'] },
        schema: {
          tags: ['Categories'],
          operationId: 'mergeCategory',
          summary: 'Merge a category into another',
          description:
            'Moves every product of the category to the other category, with a new version and a history entry. Subcategories move too. Then the category is deleted. The merge runs in batches; if it is interrupted, repeat the request to finish it.',
          params: Id,
          body: CategoryMergeSchema,
          response: { 200: ref(CategoryMergedSchema) },
        },
      },
      async (request) => {
        const { caller, params, body } = request
        const merge = {
          projectId: caller.project_id,
          author: authorOf(caller),
          ruleset: await rulesets.of(caller),
          id: params.id,
          into: body.into,
        }
        return withoutTimeout(request, () => mergeCategory(database, merge))
      },
    )
  }
}
