import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { Problem } from '../../platform/http/problems.ts'
import { isManager } from '../roles.ts'
import { changeProject } from './manage-project.ts'
import { mediaAccess } from './project.schema.ts'
import { requireProject } from './project.sql.ts'

const MediaAccessSchema = Type.Object(
  { media: OneOf(mediaAccess, { description: 'who can read media files without a token' }) },
  closed,
)

/** Who can read the files of a project, for its members. Managers can change it. */
export function projectMediaRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/media-access', { schema: { response: { 200: MediaAccessSchema } } }, async ({ caller }) => ({
      media: (await requireProject(database, caller.project_id)).media,
    }))

    app.put(
      '/media-access',
      { schema: { body: MediaAccessSchema, response: { 200: MediaAccessSchema } } },
      async ({ caller, session, body }) => {
        if (!isManager(caller.role)) throw new Problem('insufficient_role')
        const { media } = await changeProject(database, { name: session.email }, caller.project_id, body)
        return { media }
      },
    )
  }
}
