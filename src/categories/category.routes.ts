import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../database/database.ts'
import { ref } from '../http/openapi.ts'
import { notFound } from '../http/problems.ts'
import { answerOnce } from '../http/request/idempotency.ts'
import { located } from '../http/response/answer-headers.ts'
import { addressOf, pageEnvelope, readPage } from '../http/response/page-envelope.ts'
import {
  CategoryInputSchema,
  CategoryPageSchema,
  CategoryQuerySchema,
  CategorySchema,
} from './category.schema.ts'
import { findCategory, listCategories } from './category.sql.ts'
import { createCategory, deleteCategory, renameCategory } from './manage-category.ts'

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
          description: 'All categories of the project with their ids, by which products are filtered.',
          querystring: CategoryQuerySchema,
          response: { 200: ref(CategoryPageSchema) },
        },
      },
      async (request) => {
        const page = readPage(request.query)
        return pageEnvelope(request, page, await listCategories(database, request.caller.project_id, page))
      },
    )

    app.get(
      '/categories/:id',
      {
        config: { scope: 'products:read', problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'getCategory',
          summary: 'Get a category',
          description: 'One category by its id.',
          params: Id,
          response: { 200: ref(CategorySchema) },
        },
      },
      async ({ caller, params: { id } }) => {
        const category = await findCategory(database, caller.project_id, id)
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
            'Makes a category; its name is not taken yet in the project. Products that name a new category make it, too.',
          body: CategoryInputSchema,
          response: { 201: located(ref(CategorySchema)) },
        },
      },
      async (request, reply) =>
        answerOnce(database, request, reply, (writable) =>
          writable.transaction(async (tx) => {
            const category = await createCategory(tx, request.caller.project_id, request.body.name)
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
          operationId: 'renameCategory',
          summary: 'Rename a category, in all its products at once',
          description:
            'The new name is shown in all products of the category at once; their versions and `updated_at` stay.',
          params: Id,
          body: CategoryInputSchema,
          response: { 200: ref(CategorySchema) },
        },
      },
      async ({ caller, params, body }) => renameCategory(database, caller.project_id, params.id, body.name),
    )

    app.delete(
      '/categories/:id',
      {
        config: { scope: 'products:write', problems: ['not_found', 'category_in_use'] },
        schema: {
          tags,
          operationId: 'deleteCategory',
          summary: 'Delete a category that no product has',
          description: 'Only a category without products is deleted; otherwise the answer is 409.',
          params: Id,
          response: { 204: Type.Null({ description: 'Deleted' }) },
        },
      },
      async ({ caller, params }, reply) => {
        await deleteCategory(database, caller.project_id, params.id)
        reply.code(204)
        return null
      },
    )
  }
}
