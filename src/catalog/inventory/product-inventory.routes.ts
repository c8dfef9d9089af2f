import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import { InventorySchema } from '../../model/product/product.schema.ts'
import type { Database } from '../../platform/database/database.ts'
import { ref } from '../../platform/http/openapi.ts'
import { notFound } from '../../platform/http/problems.ts'
import { respondOnce } from '../../platform/http/request/idempotency.ts'
import { pageEnvelope, readPage } from '../../platform/http/response/page-envelope.ts'
import { productExists } from '../products/product.sql.ts'
import type { AdjustStock } from './adjust-stock.ts'
import {
  AdjustmentsQuerySchema,
  StockAdjustmentSchema,
  StoredAdjustmentsSchema,
} from './product-inventory.schema.ts'
import { listAdjustments } from './product-inventory.sql.ts'

const tags = ['Products']
const Id = Type.Object({ id: Type.Integer({ description: 'Product identifier' }) })

export function productInventoryRoutes(
  database: Database,
  adjustStock: AdjustStock,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/products/:id/inventory/adjustments',
      {
        config: { scope: 'products:read', problems: ['not_found', 'invalid_page'] },
        schema: {
          tags,
          operationId: 'listInventoryAdjustments',
          summary: 'List stock adjustments, newest first',
          description:
            'Returns every change to the quantity with its reason, author and source, and the quantity after it.',
          params: Id,
          querystring: AdjustmentsQuerySchema,
          response: { 200: ref(StoredAdjustmentsSchema) },
        },
      },
      async (request) => {
        const { caller, params, query } = request
        const page = readPage(query)
        const found = await listAdjustments(database, caller.project_id, params.id, page)
        if (found.count === 0 && !(await productExists(database, caller.project_id, params.id)))
          throw notFound('product', params.id)
        return pageEnvelope(request, page, found)
      },
    )

    app.post(
      '/products/:id/inventory/adjust',
      {
        config: {
          scope: 'products:write',
          problems: [
            'not_found',
            'insufficient_stock',
            'stock_is_computed',
            'precondition_failed',
            'idempotency_in_flight',
            'idempotency_mismatch',
          ],
        },
        schema: {
          tags,
          operationId: 'adjustInventory',
          summary: 'Adjust stock atomically',
          description:
            'Adds `delta`, which can be negative, to the quantity atomically, so concurrent clients do not overwrite each other. The version and `updated_at` of the product do not change; `inventory.updated_at` does. The quantity can go below zero only with backorders.',
          params: Id,
          body: StockAdjustmentSchema,
          response: { 200: ref(InventorySchema) },
        },
      },
      async (request, reply) =>
        respondOnce(database, request, reply, async (writable) => {
          const { caller, params, body, headers } = request
          const adjustment = {
            ...body,
            projectId: caller.project_id,
            id: params.id,
            author: authorOf(caller),
            ifMatch: headers['if-match'],
          }
          return { status: 200, body: await adjustStock(writable, adjustment) }
        }),
    )
  }
}
