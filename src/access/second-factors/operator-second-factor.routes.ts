import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { UserSchema } from '../users/user.schema.ts'
import { requireSecondFactor, resetSecondFactor } from './manage-second-factor.ts'
import { RequiredRolesSchema } from './second-factor.schema.ts'
import { listRequiredRoles } from './second-factor.sql.ts'

const Roles = { 200: RequiredRolesSchema }

/** Second factors of all users, for the admin area. */
export function operatorSecondFactorRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/users/:id/reset-second-factor',
      { schema: { params: Type.Object({ id: Type.Integer() }), response: { 200: UserSchema } } },
      async ({ session, params }) =>
        (await resetSecondFactor(database, { name: session.email }, params.id)).user,
    )

    app.get('/second-factor-roles', { schema: { response: Roles } }, async () => ({
      roles: await listRequiredRoles(database),
    }))

    app.put(
      '/second-factor-roles',
      { schema: { body: RequiredRolesSchema, response: Roles } },
      async ({ session, body }) => requireSecondFactor(database, { name: session.email }, body.roles),
    )
  }
}
