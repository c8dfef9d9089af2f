import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import { productLimits } from '../../model/limits/products.ts'
import { inherit } from '../../model/product/inherit.ts'
import {
  ProductDetailSchema,
  referencesParameter,
  resolveParameter,
} from '../../model/product/product.schema.ts'
import { contentOf } from '../../model/product/product-content.ts'
import { ProductBySkuSchema } from '../../model/product/product-input.schema.ts'
import { showFields } from '../../model/product/show-media.ts'
import type { Database } from '../../platform/database/database.ts'
import { normalizeText } from '../../platform/http/body/validate-body.ts'
import { ref } from '../../platform/http/openapi.ts'
import { notFound, Problem } from '../../platform/http/problems.ts'
import { requestUrl } from '../../platform/http/response/page-envelope.ts'
import { withLocation } from '../../platform/http/response/response-headers.ts'
import { serializeAsIs } from '../../platform/http/response/serializers.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import { structureProblems } from '../structure/reject-conflicts.ts'
import { findParent, findProductBySku } from './product.sql.ts'
import { putProduct } from './put-product.ts'
import { followedProducts, readOnlyFor, showProduct, viewOf } from './show-product.ts'
import { chooseView, showInView, withViews } from './show-view.ts'

const tags = ['Products']
const BySku = Type.Object({ sku: Type.String({ description: 'The exact SKU, percent-encoded' }) })

export function productBySkuRoutes(database: Database, rulesets: Rulesets): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/products/by-sku/:sku',
      {
        config: { scope: 'products:read', problems: ['not_found'], cached: 'detail' },
        serializerCompiler: serializeAsIs,
        schema: {
          tags,
          operationId: 'getProductBySku',
          summary: 'Get a product by SKU',
          description:
            'Returns the same response as the request by ID. The SKU must match exactly, including case. Leading and trailing whitespace is ignored.',
          params: BySku,
          querystring: Type.Object(resolveParameter),
          response: { 200: ref(ProductDetailSchema) },
        },
      },
      async (request, reply) => {
        const { caller, params, query } = request
        const view = viewOf(request)
        const isPlain = query.view === undefined && query.expand === undefined
        const { views } = isPlain ? { views: undefined } : await rulesets.of(caller)
        const chosen = chooseView(views, query.view, query.resolve)
        const sku = normalizeText(params.sku)
        const row = await findProductBySku(database, caller.project_id, sku)
        if (row === undefined) throw notFound('product with the SKU', sku)
        reply.shownVersion = row.version
        const detail = await showProduct(database, rulesets, row, view, chosen)
        reply.follows = followedProducts(detail)
        if (query.resolve === undefined) {
          if (isPlain) return detail
          const content = contentOf(row)
          const shown = chosen === undefined ? detail : showInView(detail, content, chosen, view.baseUrl)
          return query.expand === undefined ? shown : withViews(shown, content, views, view.baseUrl)
        }
        return inherit(detail, showFields(await findParent(database, detail), view.baseUrl))
      },
    )

    app.put(
      '/products/by-sku/:sku',
      {
        config: { scope: 'products:write', problems: ['precondition_failed', ...structureProblems] },
        serializerCompiler: serializeAsIs,
        schema: {
          tags,
          operationId: 'putProductBySku',
          summary: 'Create or replace the product with this SKU',
          description:
            'Replaces the product that has the SKU (200) or creates it (201), so you can repeat the request. With `If-None-Match: *`, the request only creates a product. With `If-Match`, it only replaces the version that you read.',
          params: BySku,
          querystring: Type.Object(referencesParameter),
          body: ProductBySkuSchema,
          response: { 200: ref(ProductDetailSchema), 201: withLocation(ref(ProductDetailSchema)) },
        },
      },
      async (request, reply) => {
        const { caller, headers, body, params, query } = request
        const sku = readSku(params.sku, body.sku)
        const conditions = { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] }
        const author = authorOf(caller)
        const { row, created } = await putProduct(
          database,
          {
            projectId: caller.project_id,
            author,
            ruleset: await rulesets.of(caller),
            isStrict: query.references === 'strict',
            readOnly: readOnlyFor(rulesets, request),
            ...conditions,
          },
          { ...body, sku },
        )
        const detail = await showProduct(database, rulesets, row, viewOf(request))
        if (created)
          reply.code(201).header('location', requestUrl(request).replace(/by-sku\/[^/]+$/, String(row.id)))
        reply.shownVersion = row.version
        return detail
      },
    )
  }
}

/** Rejects a body with another SKU than the URL. */
function readSku(inAddress: string, inBody: string | undefined): string {
  const sku = normalizeText(inAddress)
  const invalidSku = (message: string) =>
    new Problem('invalid_body', { errors: [{ pointer: '/sku', code: 'invalid_sku', message }] })
  if (inBody !== undefined && inBody !== sku)
    throw invalidSku(`is "${inBody}", but the URL has "${sku}"; leave it out or send the same SKU`)
  if (sku === '' || [...sku].length > productLimits.skuCharacters || /\p{Cc}/u.test(sku)) {
    throw invalidSku(
      `in the URL must have 1 to ${productLimits.skuCharacters} characters and no control characters`,
    )
  }
  return sku
}
