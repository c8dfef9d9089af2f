import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import { viewCodePattern } from '../../model/fields/view-paths.ts'
import { inherit } from '../../model/product/inherit.ts'
import {
  type ProductDetail,
  ProductDetailSchema,
  referencesParameter,
  resolveParameter,
} from '../../model/product/product.schema.ts'
import { type Content, contentOf, defaultContent } from '../../model/product/product-content.ts'
import {
  NewProductSchema,
  ProductPatchSchema,
  ProductReplaceSchema,
} from '../../model/product/product-input.schema.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import { showFields } from '../../model/product/show-media.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import type { Database } from '../../platform/database/database.ts'
import { ref } from '../../platform/http/openapi.ts'
import { notFound } from '../../platform/http/problems.ts'
import { readInteger } from '../../platform/http/query/query-values.ts'
import { respondOnce } from '../../platform/http/request/idempotency.ts'
import { requestUrl } from '../../platform/http/response/page-envelope.ts'
import { withLocation } from '../../platform/http/response/response-headers.ts'
import { serializeAsIs } from '../../platform/http/response/serializers.ts'
import { findContentAt } from '../past-contents/past-content.sql.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import { structureProblems } from '../structure/reject-conflicts.ts'
import { confirmedBy } from './confirm-texts.ts'
import type { Products } from './open-products.ts'
import type { Target } from './plan-change.ts'
import { findParent } from './product.sql.ts'
import { describePast, followedProducts, readOnlyFor, showProduct, viewOf } from './show-product.ts'
import { chooseView, nestInView, showInView, withViews } from './show-view.ts'

const tags = ['Products']
const Id = Type.Object({ id: Type.Integer({ description: 'Product identifier' }) })
const DetailQuery = Type.Object({
  ...resolveParameter,
  as_of: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Return the product as it was at this time, without its inventory',
    }),
  ),
})
const WriteQuery = Type.Object(referencesParameter)
const PatchQuery = Type.Object({
  ...referencesParameter,
  view: Type.Optional(
    Type.String({
      pattern: viewCodePattern,
      description:
        'A view code. The body contains values of this view, as in `views`, and the response contains the product in this view',
    }),
  ),
  confirm: Type.Optional(
    Type.Array(Type.String(), {
      style: 'form',
      explode: false,
      'x-escaped': true,
      description:
        'With `view`: text fields that are still correct although their source has changed. In attribute names, write a comma as `\\,` and a backslash as `\\\\`',
    }),
  ),
})
const noViews = { views: undefined }
const insteadOfDelete = {
  DELETE: 'Products cannot be deleted. Archive one with PATCH {"status": "archived"}.',
}

export function productRoutes(
  database: Database,
  products: Products,
  rulesets: Rulesets,
): FastifyPluginAsyncTypebox {
  function beginReading(projectId: number, { params, url }: FastifyRequest) {
    const id = readInteger((params as { id: string }).id)
    return id === undefined || url.includes('?') ? undefined : products.find({ projectId, id })
  }

  /** The product in the URL, from the read that began when the request arrived if there is one. */
  function load({
    reading,
    caller,
    params,
  }: Pick<FastifyRequest, 'reading' | 'caller'> & { params: { id: number } }) {
    const begun = reading as ReturnType<Products['find']> | undefined
    return begun ?? products.find({ projectId: caller.project_id, id: params.id })
  }

  return async (app) => {
    app.get(
      '/products/:id',
      {
        config: {
          scope: 'products:read',
          problems: ['not_found'],
          instead: insteadOfDelete,
          cached: 'detail',
          beginReading,
        },
        serializerCompiler: serializeAsIs,
        schema: {
          tags,
          operationId: 'getProduct',
          summary: 'Get a product',
          description:
            'Returns the product with its categories, attributes, stock and explained quality score. With `as_of`, returns the product as it was at that time, without stock.',
          params: Id,
          querystring: DetailQuery,
          response: { 200: ref(ProductDetailSchema) },
        },
      },
      async (request, reply) => {
        const {
          params: { id },
          query: { as_of, resolve, view: code, expand },
          caller,
        } = request
        const { project_id: projectId } = caller
        const view = viewOf(request)
        const { views } = code === undefined && expand === undefined ? noViews : await rulesets.of(caller)
        const chosen = chooseView(views, code, resolve)
        const inView = (detail: ProductDetail, content: Content) => {
          const shown = chosen === undefined ? detail : showInView(detail, content, chosen, view.baseUrl)
          return expand === undefined ? shown : withViews(shown, content, views, view.baseUrl)
        }
        if (as_of !== undefined) {
          const past = await findContentAt(database, projectId, id, { time: as_of })
          if (past === undefined) throw notFound('product', id)
          reply.shownVersion = past.version
          const detail = describePast(id, projectId, past, view, await rulesets.of(caller))
          if (resolve === undefined || detail.parent?.id == null)
            return inView(detail, { ...defaultContent, ...past.content })
          const parent = await findContentAt(database, projectId, detail.parent.id, { time: as_of })
          return inherit(detail, parent && showFields({ ...defaultContent, ...parent.content }, view.baseUrl))
        }
        const row = await load(request)
        if (row === undefined) throw notFound('product', id)
        reply.shownVersion = row.version
        const detail = await showProduct(database, rulesets, row, view, chosen)
        reply.follows = followedProducts(detail)
        return resolve === undefined
          ? code === undefined && expand === undefined
            ? detail
            : inView(detail, contentOf(row))
          : inherit(detail, showFields(await findParent(database, detail), view.baseUrl))
      },
    )

    app.post(
      '/products',
      {
        config: {
          scope: 'products:write',
          problems: ['duplicate_sku', ...structureProblems, 'idempotency_in_flight', 'idempotency_mismatch'],
        },
        serializerCompiler: serializeAsIs,
        schema: {
          tags,
          operationId: 'createProduct',
          summary: 'Create a product',
          description:
            'Creates a product. Only `sku` and `name` are required. Categories in the body that do not exist are created too. With an `Idempotency-Key`, you can safely repeat the request for 24 hours.',
          querystring: WriteQuery,
          body: NewProductSchema,
          response: { 201: withLocation(ref(ProductDetailSchema)) },
        },
      },
      async (request, reply) =>
        respondOnce(database, request, reply, async (writable) => {
          const { caller, body, query } = request
          const row = await products.create(writable, {
            projectId: caller.project_id,
            author: authorOf(caller),
            ruleset: await rulesets.of(caller),
            input: body,
            isStrict: query.references === 'strict',
          })
          const location = `${requestUrl(request).replace(/\?.*/, '')}/${row.id}`
          const detail = await showProduct(writable, rulesets, row, viewOf(request))
          return { status: 201, location, version: row.version, body: detail }
        }),
    )

    app.patch(
      '/products/:id',
      {
        config: {
          scope: 'products:write',
          problems: ['not_found', 'duplicate_sku', 'precondition_failed', ...structureProblems],
          beginReading,
        },
        preValidation: nestInView,
        serializerCompiler: serializeAsIs,
        schema: {
          tags,
          operationId: 'patchProduct',
          consumes: ['application/json', 'application/merge-patch+json'],
          summary: 'Update some fields of a product',
          description:
            'A JSON merge patch: fields that you leave out do not change. Attributes merge key by key, and null removes one. Categories are replaced. In `views`, null makes a field fall back. A patch that changes nothing does not create a version. With `If-Match`, the request is rejected if the product has changed since you read it.',
          params: Id,
          querystring: PatchQuery,
          body: ProductPatchSchema,
          response: { 200: ref(ProductDetailSchema) },
        },
      },
      async (request, reply) => {
        const ruleset = await rulesets.of(request.caller)
        const { view: code, confirm } = request.query
        const chosen = chooseView(ruleset.views, code)
        const target = targetOf(request, ruleset, await load(request), readOnlyFor(rulesets, request))
        const row = await products.patch({ ...target, confirmed: confirmedBy(chosen, confirm) }, request.body)
        reply.shownVersion = row.version
        const view = viewOf(request)
        const detail = await showProduct(database, rulesets, row, view, chosen)
        return chosen === undefined ? detail : showInView(detail, contentOf(row), chosen, view.baseUrl)
      },
    )

    app.put(
      '/products/:id',
      {
        config: {
          scope: 'products:write',
          problems: ['not_found', 'duplicate_sku', 'precondition_failed', ...structureProblems],
          beginReading,
        },
        serializerCompiler: serializeAsIs,
        schema: {
          tags,
          operationId: 'replaceProduct',
          summary: 'Replace all fields of a product',
          description:
            'Sets every field to its value in the body, or to its default if the body leaves it out. Stock and `views` that the body leaves out do not change. With `If-Match`, the request is rejected if the product has changed since you read it.',
          params: Id,
          querystring: WriteQuery,
          body: ProductReplaceSchema,
          response: { 200: ref(ProductDetailSchema) },
        },
      },
      async (request, reply) => {
        const ruleset = await rulesets.of(request.caller)
        const row = await products.replace(
          targetOf(request, ruleset, await load(request), readOnlyFor(rulesets, request)),
          request.body,
        )
        reply.shownVersion = row.version
        return showProduct(database, rulesets, row, viewOf(request))
      },
    )
  }
}

type ProductRequest = Pick<FastifyRequest, 'caller' | 'headers'> & {
  params: { id: number }
  query: { references?: 'strict' }
}

function targetOf(
  { caller, headers, params, query }: ProductRequest,
  ruleset: Ruleset,
  loaded: ProductRow | undefined,
  readOnly: Target['readOnly'],
): Target {
  const author = authorOf(caller)
  return {
    projectId: caller.project_id,
    id: params.id,
    author,
    ruleset,
    ifMatch: headers['if-match'],
    isStrict: query.references === 'strict',
    loaded,
    readOnly,
  }
}
