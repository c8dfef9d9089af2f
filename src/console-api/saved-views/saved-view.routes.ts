import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { changeView, deleteView, saveView } from './manage-view.ts'
import {
  NewSavedViewSchema,
  SavedViewChangesSchema,
  SavedViewSchema,
  SavedViewsSchema,
} from './saved-view.schema.ts'
import { listSavedViews, type Owner } from './saved-view.sql.ts'

const ViewId = Type.Object({ project_id: Type.Integer(), view_id: Type.Integer() })

/** Saved views of the product list. Every member has their own, regardless of the role. */
export function savedViewRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/views', { schema: { response: { 200: SavedViewsSchema } } }, async (request) => ({
      results: await listSavedViews(database, ownerOf(request)),
    }))

    app.post(
      '/views',
      { schema: { body: NewSavedViewSchema, response: { 201: SavedViewSchema } } },
      async (request, reply) => {
        reply.code(201)
        return saveView(database, ownerOf(request), request.body)
      },
    )

    app.patch(
      '/views/:view_id',
      { schema: { params: ViewId, body: SavedViewChangesSchema, response: { 200: SavedViewSchema } } },
      async (request) => changeView(database, ownerOf(request), request.params.view_id, request.body),
    )

    app.delete(
      '/views/:view_id',
      { schema: { params: ViewId, response: { 204: Type.Null({ description: 'Deleted' }) } } },
      async (request, reply) => {
        await deleteView(database, ownerOf(request), request.params.view_id)
        reply.code(204)
        return null
      },
    )
  }
}

function ownerOf({ caller, session }: Pick<FastifyRequest, 'caller' | 'session'>): Owner {
  return { projectId: caller.project_id, userId: session.user_id }
}
