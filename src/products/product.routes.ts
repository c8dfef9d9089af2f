import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { batchPerTurn } from '../database/batch.ts'
import type { Database } from '../database/database.ts'
import { baseUrlOf } from '../http/base-url.ts'
import { ref } from '../http/openapi.ts'
import { pageEnvelope, readPage } from '../http/pages.ts'
import { notFound } from '../http/problems.ts'
import { normalise } from '../http/validate-body.ts'
import { createProduct } from './create-product.ts'
import { describeProduct, type ProductRow } from './describe-product.ts'
import { readOrdering } from './ordering.ts'
import {
  NewProductSchema,
  ProductDetailSchema,
  ProductPageSchema,
  ProductQuerySchema,
} from './product.schema.ts'
import { findProducts, listProducts, type ProductKey, productKey } from './product.sql.ts'

const tags = ['Products']
const Id = Type.Object({ id: Type.Integer({ description: 'Product identifier' }) })

export function productRoutes(database: Database): FastifyPluginAsyncTypebox {
  const findProduct = batchPerTurn<ProductKey, ProductRow>(productKey, (keys) => findProducts(database, keys))

  return async (app) => {
    app.get(
      '/products',
      {
        config: { scope: 'products:read', problems: ['invalid_page'] },
        schema: {
          tags,
          operationId: 'listProducts',
          summary: 'List products',
          querystring: ProductQuerySchema,
          response: { 200: ref(ProductPageSchema) },
        },
      },
      async (request) => {
        const { caller, query } = request
        const page = readPage(query)
        const filters = query.sku === undefined ? query : { ...query, sku: normalise(query.sku) }
        const found = await listProducts(
          database,
          caller.project_id,
          filters,
          readOrdering(query.ordering),
          page,
        )
        return pageEnvelope(request, page, found)
      },
    )

    app.get(
      '/products/:id',
      {
        config: { scope: 'products:read', problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'getProduct',
          summary: 'Get a product',
          params: Id,
          response: { 200: ref(ProductDetailSchema) },
        },
      },
      async ({ caller, params: { id } }) => {
        const row = await findProduct({ projectId: caller.project_id, id })
        if (row === undefined) throw notFound('product', id)
        return describeProduct(row, caller.currency)
      },
    )

    app.post(
      '/products',
      {
        config: { scope: 'products:write', problems: ['duplicate_sku'] },
        schema: {
          tags,
          operationId: 'createProduct',
          summary: 'Create a product',
          body: NewProductSchema,
          response: { 201: ref(ProductDetailSchema) },
        },
      },
      async (request, reply) => {
        const { caller, body } = request
        const row = await createProduct(
          database,
          caller.project_id,
          { actor: caller.token_name, source: 'api' },
          body,
        )
        const [collection = ''] = request.url.split(/\/?(?:\?|$)/, 1)
        reply.code(201).header('location', `${baseUrlOf(request)}${collection}/${row.id}`)
        return describeProduct(row, caller.currency)
      },
    )
  }
}
