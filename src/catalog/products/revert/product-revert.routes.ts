import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '../../../access/tokens/caller.ts'
import { ProductDetailSchema } from '../../../model/product/product.schema.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ref } from '../../../platform/http/openapi.ts'
import { respondOnce } from '../../../platform/http/request/idempotency.ts'
import { serializeAsIs } from '../../../platform/http/response/serializers.ts'
import type { Rulesets } from '../../rulesets/rulesets.ts'
import { structureProblems } from '../../structure/reject-conflicts.ts'
import type { Products } from '../open-products.ts'
import { showProduct, viewOf } from '../show-product.ts'
import { RevertSchema } from './revert.schema.ts'
import { revertProduct } from './revert-product.ts'

const Id = Type.Object({ id: Type.Integer({ description: 'Product identifier' }) })

export function productRevertRoutes(
  database: Database,
  products: Products,
  rulesets: Rulesets,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/products/:id/revert',
      {
        config: {
          scope: 'products:write',
          problems: [
            'not_found',
            'duplicate_sku',
            'precondition_failed',
            ...structureProblems,
            'idempotency_in_flight',
            'idempotency_mismatch',
          ],
        },
        serializerCompiler: serializeAsIs,
        schema: {
          tags: ['Products'],
          operationId: 'revertProduct',
          summary: 'Revert fields of a product to an earlier version',
          description:
            'Follows the rules of a PATCH: it creates a new version, or none if nothing differs. The provenance of the values is restored too. Stock is not part of a version and does not change. With `If-Match`, the request is rejected if the product has changed since you read it.',
          params: Id,
          body: RevertSchema,
          response: { 200: ref(ProductDetailSchema) },
        },
      },
      async (request, reply) => {
        const { caller, headers, params, body } = request
        const target = {
          projectId: caller.project_id,
          id: params.id,
          author: authorOf(caller),
          ruleset: await rulesets.of(caller),
          ifMatch: headers['if-match'],
        }
        return respondOnce(database, request, reply, async (writable) => {
          const row = await revertProduct(writable, products, target, body)
          const detail = await showProduct(writable, rulesets, row, viewOf(request))
          return { status: 200, version: row.version, body: detail }
        })
      },
    )
  }
}
