import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { closed } from '../../platform/http/closed.ts'
import { SecretSchema } from '../users/invitation.schema.ts'
import { joinProject } from './invite-member.ts'

const Joined = Type.Object({ project_id: Type.Integer() }, closed)

/** For a user who has an account and accepts the invitation of another project. */
export function joinProjectRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/invitations/accept',
      { schema: { body: SecretSchema, response: { 200: Joined } } },
      async ({ session, body }) => joinProject(database, session, body.secret),
    )
  }
}
