import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { NewUserSchema, UserSchema } from '../users/user.schema.ts'
import { LinkSchema } from './company.schema.ts'
import type { CompanySignIn } from './company-sign-in.ts'
import { createLinkedUser, linkUser, unlinkUser } from './link-company.ts'

const Id = Type.Object({ id: Type.Integer() })

/** Company accounts of all users, for the admin area. */
export function operatorCompanyRoutes(database: Database, company: CompanySignIn): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/company-users',
      { schema: { body: NewUserSchema, response: { 201: UserSchema } } },
      async ({ session, body }, reply) => {
        const { issuer } = company.requireSettings()
        reply.code(201)
        return createLinkedUser(database, { name: session.email }, body, issuer)
      },
    )

    app.post(
      '/users/:id/link-company',
      { schema: { params: Id, body: LinkSchema, response: { 200: UserSchema } } },
      async ({ session, params, body: { subject } }) => {
        const { issuer } = company.requireSettings()
        return linkUser(database, { name: session.email }, params.id, { issuer, subject })
      },
    )

    app.post(
      '/users/:id/unlink-company',
      { schema: { params: Id, response: { 200: UserSchema } } },
      async ({ session, params }) => unlinkUser(database, { name: session.email }, params.id),
    )
  }
}
