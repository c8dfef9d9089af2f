import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../database/database.ts'
import { addressOf, pageEnvelope, pageParameters, readPage } from '../http/response/page-envelope.ts'
import { changeUser, createUser, resetPassword } from './manage-user.ts'
import {
  IssuedUserSchema,
  NewUserSchema,
  UserChangesSchema,
  UserPageSchema,
  UserSchema,
} from './user.schema.ts'
import { listUsers } from './user.sql.ts'

const Id = Type.Object({ id: Type.Integer() })

/** Accounts, on the operator's desk. */
export function userRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/users',
      { schema: { querystring: Type.Object(pageParameters), response: { 200: UserPageSchema } } },
      async (request) => {
        const page = readPage(request.query)
        return pageEnvelope(request, page, await listUsers(database, page))
      },
    )

    app.post(
      '/users',
      { schema: { body: NewUserSchema, response: { 201: IssuedUserSchema } } },
      async (request, reply) => {
        const user = await createUser(database, { name: request.session.email }, request.body)
        reply.code(201).header('location', `${addressOf(request)}/${user.id}`)
        return user
      },
    )

    app.patch(
      '/users/:id',
      { schema: { params: Id, body: UserChangesSchema, response: { 200: UserSchema } } },
      async ({ session, params, body }) => changeUser(database, { name: session.email }, params.id, body),
    )

    app.post(
      '/users/:id/reset-password',
      {
        schema: {
          params: Id,
          response: { 200: Type.Object({ password: Type.String() }, { additionalProperties: false }) },
        },
      },
      async ({ session, params }) => resetPassword(database, { name: session.email }, params.id),
    )
  }
}
