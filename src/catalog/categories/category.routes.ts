import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import { ref } from '../../platform/http/openapi.ts'
import { notFound } from '../../platform/http/problems.ts'
import { respondOnce } from '../../platform/http/request/idempotency.ts'
import { pageEnvelope, readPage, requestUrl } from '../../platform/http/response/page-envelope.ts'
import { withLocation } from '../../platform/http/response/response-headers.ts'
import {
  CategoryDetailSchema,
  CategoryInputSchema,
  CategoryPageSchema,
  CategoryPatchSchema,
  CategoryQuerySchema,
  CategorySchema,
  CategoryTreeQuerySchema,
  CategoryTreeSchema,
} from './category.schema.ts'
import { findCategoryDetail, listCategories } from './category.sql.ts'
import { readTree } from './category-tree.ts'
import { changeCategory, createCategory, deleteCategory } from './manage-category.ts'

const tags = ['Categories']
const Id = Type.Object({ id: Type.Integer({ description: 'Category identifier' }) })

export function categoryRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/categories',
      {
        config: { scope: 'products:read', problems: ['invalid_page'], cached: 'list' },
        schema: {
          tags,
          operationId: 'listCategories',
          summary: 'List categories',
          description:
            'Returns categories with their paths and IDs. `parent` lists the direct subcategories of one category, and `parent__isnull=true` lists the root categories. Use `ordering=position,name` for the order of the tree, or `position,natural_name` for the order of the console. `expand` adds product counts.',
          querystring: CategoryQuerySchema,
          response: { 200: ref(CategoryPageSchema) },
        },
      },
      async (request) => {
        const page = readPage(request.query)
        return pageEnvelope(
          request,
          page,
          await listCategories(database, request.caller.project_id, request.query, page),
        )
      },
    )

    app.get(
      '/categories/tree',
      {
        config: { scope: 'products:read', problems: ['not_found', 'page_too_large'], cached: 'list' },
        schema: {
          tags,
          operationId: 'getCategoryTree',
          summary: 'Get the category tree with product counts',
          description:
            'Returns all categories in order, each with its subcategories and its exact number of products. `parent` returns one branch of the tree; `depth` returns its upper levels.',
          querystring: CategoryTreeQuerySchema,
          response: { 200: ref(CategoryTreeSchema) },
        },
      },
      async ({ caller, query }) => readTree(database, caller.project_id, query),
    )

    app.get(
      '/categories/:id',
      {
        config: { scope: 'products:read', problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'getCategory',
          summary: 'Get a category',
          description:
            'Returns one category, with the number of products directly in it and the number in it or below it.',
          params: Id,
          response: { 200: ref(CategoryDetailSchema) },
        },
      },
      async ({ caller, params: { id } }) => {
        const category = await findCategoryDetail(database, caller.project_id, id)
        if (category === undefined) throw notFound('category', id)
        return category
      },
    )

    app.post(
      '/categories',
      {
        config: {
          scope: 'products:write',
          problems: ['duplicate_name', 'idempotency_in_flight', 'idempotency_mismatch'],
        },
        schema: {
          tags,
          operationId: 'createCategory',
          summary: 'Create a category',
          description:
            'Creates a category at the root or below another category. Its name must be unique among its siblings. A product write also creates the categories that it names and that do not exist.',
          body: CategoryInputSchema,
          response: { 201: withLocation(ref(CategorySchema)) },
        },
      },
      async (request, reply) =>
        respondOnce(database, request, reply, (writable) =>
          writable.transaction(async (tx) => {
            const category = await createCategory(
              tx,
              request.caller.project_id,
              authorOf(request.caller),
              request.body,
            )
            return { status: 201, location: `${requestUrl(request)}/${category.id}`, body: category }
          }),
        ),
    )

    app.patch(
      '/categories/:id',
      {
        config: { scope: 'products:write', problems: ['not_found', 'duplicate_name'] },
        schema: {
          tags,
          operationId: 'patchCategory',
          summary: 'Rename or move a category',
          description:
            'All products of the category show the new name immediately; their versions and `updated_at` do not change. `parent` moves the category with everything below it; null moves it to the root. `position` sets its order among its siblings.',
          params: Id,
          body: CategoryPatchSchema,
          response: { 200: ref(CategorySchema) },
        },
      },
      async ({ caller, params, body }) =>
        changeCategory(database, caller.project_id, authorOf(caller), params.id, body),
    )

    app.delete(
      '/categories/:id',
      {
        config: { scope: 'products:write', problems: ['not_found', 'category_in_use'] },
        schema: {
          tags,
          operationId: 'deleteCategory',
          summary: 'Delete an unused category',
          description:
            'Deletes a category without products and subcategories that no rule or attribute definition uses. Otherwise, returns 409.',
          params: Id,
          response: { 204: Type.Null({ description: 'Deleted' }) },
        },
      },
      async ({ caller, params }, reply) => {
        await deleteCategory(database, caller.project_id, authorOf(caller), params.id)
        reply.code(204)
        return null
      },
    )
  }
}
