import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Database } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { type SessionProject, SessionProjectSchema } from './session.schema.ts'
import { hasViews } from './session.sql.ts'

/** The project in the URL, for users who can open it. */
export function openProjectRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/', { schema: { response: { 200: SessionProjectSchema } } }, async ({ caller }) => {
      const { project_id: id, project_name: name, plan, currency, api_access, role, public_media } = caller
      if (role === undefined || public_media === undefined) throw new Problem('not_found')
      const has_views = await hasViews(database, id)
      return {
        ...{ id, name, plan, currency, api_access, public_media, has_views, role },
      } satisfies SessionProject
    })
  }
}
