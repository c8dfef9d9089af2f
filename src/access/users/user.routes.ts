import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { searchParameter } from '../../platform/http/query/search-parameter.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'
import {
  pageEnvelope,
  pageParameters,
  readPage,
  requestUrl,
} from '../../platform/http/response/page-envelope.ts'
import { deleteUser, disableUser, enableUser, endSessions } from './end-access.ts'
import { InvitationLinkSchema, InvitedUserSchema } from './invitation.schema.ts'
import { createInvitedUser, invitationPath, inviteUser } from './invite-user.ts'
import { changeUser, createUser, resetPassword } from './manage-user.ts'
import {
  IssuedUserSchema,
  NewUserSchema,
  UserChangesSchema,
  UserPageSchema,
  UserSchema,
} from './user.schema.ts'
import { findUser, listUsers, userKinds } from './user.sql.ts'

const Id = Type.Object({ id: Type.Integer() })
const UsersQuery = Type.Object({
  ...pageParameters,
  search: searchParameter('the email or the name'),
  kind: Type.Optional(OneOf([...userKinds])),
})
const EndedSchema = Type.Object({ ended: Type.Integer() }, closed)

const advice = 'Create the user with a company account, or link the user to one.'

/** User accounts, for the admin area. */
export function userRoutes(
  database: Database,
  /** Throws if the user could not sign in with a password. */
  rejectUseless: (user: { operator: boolean }, advice: string) => void,
): FastifyPluginAsyncTypebox {
  const rejectNew = ({ operator = false }: { operator?: boolean }) => rejectUseless({ operator }, advice)
  const rejectKnown = async (id: number) => {
    const user = await findUser(database, id)
    if (user !== undefined) rejectNew(user)
  }

  return async (app) => {
    app.get(
      '/users',
      { schema: { querystring: UsersQuery, response: { 200: UserPageSchema } } },
      async (request) => {
        const page = readPage(request.query)
        return pageEnvelope(request, page, await listUsers(database, request.query, page))
      },
    )

    app.post(
      '/users',
      { schema: { body: NewUserSchema, response: { 201: IssuedUserSchema } } },
      async (request, reply) => {
        rejectNew(request.body)
        const user = await createUser(database, { name: request.session.email }, request.body)
        reply.code(201).header('location', `${requestUrl(request)}/${user.id}`)
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
          response: { 200: Type.Object({ password: Type.String() }, closed) },
        },
      },
      async ({ session, params }) => {
        await rejectKnown(params.id)
        return resetPassword(database, { name: session.email }, params.id)
      },
    )

    app.post(
      '/invitations',
      { schema: { body: NewUserSchema, response: { 201: InvitedUserSchema } } },
      async (request, reply) => {
        rejectNew(request.body)
        const { secret, ...user } = await createInvitedUser(
          database,
          { name: request.session.email },
          request.body,
        )
        reply.code(201)
        return { ...user, link: baseUrlOf(request) + invitationPath(secret) }
      },
    )

    app.post(
      '/users/:id/invite',
      { schema: { params: Id, response: { 200: InvitationLinkSchema } } },
      async (request) => {
        await rejectKnown(request.params.id)
        const invitation = await inviteUser(database, { name: request.session.email }, request.params.id)
        return {
          link: baseUrlOf(request) + invitationPath(invitation.secret),
          expires_at: invitation.expires_at,
        }
      },
    )

    for (const [verb, action] of Object.entries({
      disable: disableUser,
      enable: enableUser,
      delete: deleteUser,
    }))
      app.post(
        `/users/:id/${verb}`,
        { schema: { params: Id, response: { 200: UserSchema } } },
        async ({ session, params }) => action(database, { name: session.email }, params.id),
      )

    app.post(
      '/users/:id/end-sessions',
      { schema: { params: Id, response: { 200: EndedSchema } } },
      async ({ session, params }) => endSessions(database, { name: session.email }, params.id),
    )
  }
}
