import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { abortQueries } from '../../../platform/database/abort-queries.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { ExpensiveReads } from '../../../platform/http/limits/expensive-reads.ts'
import { ref } from '../../../platform/http/openapi.ts'
import { disconnectSignal } from '../../../platform/http/response/client-disconnect.ts'
import { pageEnvelope, readPage } from '../../../platform/http/response/page-envelope.ts'
import { viewOf } from '../show-product.ts'
import { findDuplicates, showGroups } from './find-duplicates.ts'
import { DuplicatePageSchema, DuplicateQuerySchema } from './product-duplicates.schema.ts'

export function productDuplicateRoutes(
  database: Database,
  { duplicates }: Pick<ExpensiveReads, 'duplicates'>,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/products/duplicates',
      {
        config: { scope: 'products:read', problems: ['invalid_page'], cached: 'list' },
        schema: {
          tags: ['Products'],
          operationId: 'listDuplicateProducts',
          summary: 'List likely duplicates',
          description:
            'Returns groups of products that are likely duplicates: with the same GTIN, the same name or a close name. The list contains no archived products. Similar names alone do not make the variants of a parent duplicates. `complete` is false if the project is too large to compare all products.',
          querystring: DuplicateQuerySchema,
          response: { 200: ref(DuplicatePageSchema) },
        },
      },
      async (request, reply) => {
        const { caller, query } = request
        const page = readPage(query)
        const signal = disconnectSignal(reply)
        const find = () => findDuplicates(database, caller.project_id, query.reason)
        const { groups, isComplete } = await duplicates.run(find, caller.project_id, signal)
        const reader = abortQueries(database, signal)
        const results = await showGroups(reader, caller.project_id, groups, page, viewOf(request))
        return {
          ...pageEnvelope(request, page, { count: groups.length, results }),
          complete: isComplete,
        }
      },
    )
  }
}
