import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { isManager } from '../../access/roles.ts'
import type { Database } from '../../platform/database/database.ts'
import { changeView, deleteView, saveView } from './manage-view.ts'
import {
  NewSavedViewSchema,
  SavedViewChangesSchema,
  SavedViewSchema,
  SavedViewsSchema,
} from './saved-view.schema.ts'
import { listSavedViews, type Viewer } from './saved-view.sql.ts'

const ViewId = Type.Object({ project_id: Type.Integer(), view_id: Type.Integer() })

/** Saved views of the product list. Every member has their own, regardless of the role, and can share them with the project. */
export function savedViewRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/saved-views', { schema: { response: { 200: SavedViewsSchema } } }, async (request) => ({
      results: await listSavedViews(database, viewerOf(request)),
    }))

    app.post(
      '/saved-views',
      { schema: { body: NewSavedViewSchema, response: { 201: SavedViewSchema } } },
      async (request, reply) => {
        reply.code(201)
        return saveView(database, viewerOf(request), request.body)
      },
    )

    app.patch(
      '/saved-views/:view_id',
      { schema: { params: ViewId, body: SavedViewChangesSchema, response: { 200: SavedViewSchema } } },
      async (request) => changeView(database, viewerOf(request), request.params.view_id, request.body),
    )

    app.delete(
      '/saved-views/:view_id',
      { schema: { params: ViewId, response: { 204: Type.Null({ description: 'Deleted' }) } } },
      async (request, reply) => {
        await deleteView(database, viewerOf(request), request.params.view_id)
        reply.code(204)
        return null
      },
    )
  }
}

function viewerOf({ caller, session }: Pick<FastifyRequest, 'caller' | 'session'>): Viewer {
  return { projectId: caller.project_id, userId: session.user_id, isManager: isManager(caller.role) }
}
