import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import { ref } from '../../platform/http/openapi.ts'
import { notFound } from '../../platform/http/problems.ts'
import { answerOnce } from '../../platform/http/request/idempotency.ts'
import { addressOf, pageEnvelope, readPage } from '../../platform/http/response/page-envelope.ts'
import { located } from '../../platform/http/response/response-headers.ts'
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
        config: { scope: 'products:read', problems: ['invalid_page'] },
        schema: {
          tags,
          operationId: 'listCategories',
          summary: 'List categories',
          description:
            'The categories of the project with their ids, by which products are filtered, and their paths. `parent` lists those below one category, `parent__isnull=true` those at the root, with `ordering=position,name` as the tree has them. `expand=counts` tells how many products each has.',
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
        config: { scope: 'products:read', problems: ['not_found', 'page_too_large'] },
        schema: {
          tags,
          operationId: 'getCategoryTree',
          summary: 'Get the tree of categories, with the number of products of each',
          description:
            'All categories in their order, each with those below it and with the exact number of products that have it. `parent` shows a part of the tree, `depth` its upper levels.',
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
            'One category by its id, with the number of products that have it, and of those that have it or one below it.',
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
            'Makes a category at the root or below another; its name is not taken yet among its siblings. Products that name a new category make it, too.',
          body: CategoryInputSchema,
          response: { 201: located(ref(CategorySchema)) },
        },
      },
      async (request, reply) =>
        answerOnce(database, request, reply, (writable) =>
          writable.transaction(async (tx) => {
            const category = await createCategory(
              tx,
              request.caller.project_id,
              authorOf(request.caller),
              request.body,
            )
            return { status: 201, location: `${addressOf(request)}/${category.id}`, body: category }
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
          summary: 'Rename or move a category, in all its products at once',
          description:
            'A new name is shown in all products of the category at once; their versions and `updated_at` stay. `parent` moves the category with all below it, null to the root; `position` orders it among its siblings.',
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
          summary: 'Delete a category that no product has',
          description:
            'Only a category without products, and with none below it, is deleted; otherwise the answer is 409.',
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
