import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { showFields } from '../../../model/product/show-media.ts'
import { abortQueries } from '../../../platform/database/abort-queries.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { ref } from '../../../platform/http/openapi.ts'
import { notFound } from '../../../platform/http/problems.ts'
import { baseUrlOf } from '../../../platform/http/request/base-url.ts'
import { disconnectSignal } from '../../../platform/http/response/client-disconnect.ts'
import type { ReadLargePage } from '../../../platform/http/response/large-pages.ts'
import { pageEnvelope, readPage } from '../../../platform/http/response/page-envelope.ts'
import { HistoryQuerySchema, type ProductChange, ProductHistorySchema } from './product-history.schema.ts'
import { listChanges } from './product-history.sql.ts'

const tags = ['Products']
const Id = Type.Object({ id: Type.Integer({ description: 'Product identifier' }) })

export function productHistoryRoutes(
  database: Queryable,
  readLargePage: ReadLargePage,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/products/:id/history',
      {
        config: { scope: 'products:read', problems: ['not_found', 'invalid_page', 'page_too_large'] },
        schema: {
          tags,
          operationId: 'listProductChanges',
          summary: 'List the changes to a product, newest first',
          description:
            'Returns the changed fields of each version before and after the change, with its author and source. Stock adjustments have a list of their own.',
          params: Id,
          querystring: HistoryQuerySchema,
          response: { 200: ref(ProductHistorySchema) },
        },
      },
      async (request, reply) => {
        const { caller, params, query } = request
        const page = readPage(query)
        const signal = disconnectSignal(reply)
        const reader = abortQueries(database, signal)
        const read = (maxBytes: number) => listChanges(reader, caller.project_id, params.id, page, maxBytes)
        const found = await readLargePage(caller.project_id, page, read, signal)
        if (found.count === 0) throw notFound('product', params.id)
        const show = <Fields extends ProductChange['before']>(fields: Fields) =>
          showFields(fields, () => baseUrlOf(request))
        const results = found.results.map((change) => ({
          ...change,
          before: show(change.before),
          after: show(change.after),
        }))
        return pageEnvelope(request, page, { ...found, results })
      },
    )
  }
}
