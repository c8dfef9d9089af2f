import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Queryable } from '../database/database.ts'
import { ref } from '../http/openapi.ts'
import { pageEnvelope, readPage } from '../http/pages.ts'
import { notFound } from '../http/problems.ts'
import { CategoryPageSchema, CategoryQuerySchema, CategorySchema } from './category.schema.ts'
import { findCategory, listCategories } from './category.sql.ts'

const tags = ['Categories']
const Id = Type.Object({ id: Type.Integer({ description: 'Category identifier' }) })

export function categoryRoutes(database: Queryable): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/categories',
      {
        config: { scope: 'products:read', problems: ['invalid_page'] },
        schema: {
          tags,
          operationId: 'listCategories',
          summary: 'List categories',
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
  }
}
