import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'
import { pageEnvelope, pageParameters, readPage } from '../../platform/http/response/page-envelope.ts'
import { AuditPageSchema } from '../audit/audit.schema.ts'
import { listAuditEntries } from '../audit/audit.sql.ts'
import { invitationPath } from '../users/invite-user.ts'
import { inviteMember, revokeInvitation } from './invite-member.ts'
import { changeMember, type MemberActor, removeMember } from './manage-member.ts'
import {
  InvitedMemberSchema,
  MemberChangesSchema,
  MemberInvitationPageSchema,
  MemberPageSchema,
  MemberQuerySchema,
  MemberSchema,
  NewMemberSchema,
} from './member.schema.ts'
import { listMembers } from './member.sql.ts'
import { listMemberInvitations } from './member-invitation.sql.ts'

const UserId = Type.Object({ project_id: Type.Integer(), user_id: Type.Integer() })
const InvitationId = Type.Object({ project_id: Type.Integer(), invitation_id: Type.Integer() })
const Paged = Type.Object(pageParameters)
const nothing = { 204: Type.Null({ description: 'Removed' }) }
const config = { managersOnly: true }

/** The members of a project, for its managers. */
export function memberRoutes(
  database: Database,
  /** Throws if the user could not sign in with a password. */
  rejectUseless: (user: { operator: boolean }, advice: string) => void,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/members',
      { config, schema: { querystring: MemberQuerySchema, response: { 200: MemberPageSchema } } },
      async (request) => {
        const { caller, query } = request
        const page = readPage(query)
        return pageEnvelope(request, page, await listMembers(database, caller.project_id, query, page))
      },
    )

    app.patch(
      '/members/:user_id',
      { config, schema: { params: UserId, body: MemberChangesSchema, response: { 200: MemberSchema } } },
      async ({ caller, session, params, body }) =>
        changeMember(database, actorOf({ caller, session }), caller.project_id, params.user_id, body.role),
    )

    app.delete(
      '/members/:user_id',
      { config, schema: { params: UserId, response: nothing } },
      async ({ caller, session, params }, reply) => {
        await removeMember(database, actorOf({ caller, session }), caller.project_id, params.user_id)
        reply.code(204)
        return null
      },
    )

    app.get(
      '/members/invitations',
      { config, schema: { querystring: Paged, response: { 200: MemberInvitationPageSchema } } },
      async (request) => {
        const page = readPage(request.query)
        const found = await listMemberInvitations(database, request.caller.project_id, page)
        return pageEnvelope(request, page, found)
      },
    )

    app.post(
      '/members/invitations',
      { config, schema: { body: NewMemberSchema, response: { 201: InvitedMemberSchema } } },
      async (request, reply) => {
        const { caller, body } = request
        rejectUseless({ operator: false }, 'Ask the operator to add the user to the project.')
        const { secret, ...invited } = await inviteMember(database, actorOf(request), caller.project_id, body)
        reply.code(201)
        return { ...invited, link: baseUrlOf(request) + invitationPath(secret) }
      },
    )

    app.delete(
      '/members/invitations/:invitation_id',
      { config, schema: { params: InvitationId, response: nothing } },
      async ({ caller, session, params }, reply) => {
        const actor = actorOf({ caller, session })
        await revokeInvitation(database, actor, caller.project_id, params.invitation_id)
        reply.code(204)
        return null
      },
    )

    app.get(
      '/members/audit',
      { config, schema: { querystring: Paged, response: { 200: AuditPageSchema } } },
      async (request) => {
        const page = readPage(request.query)
        const filters = { noun: 'member', project: request.caller.project_id }
        return pageEnvelope(request, page, await listAuditEntries(database, filters, page))
      },
    )
  }
}

function actorOf({
  caller,
  session,
}: Pick<FastifyRequest, 'caller' | 'session'>): MemberActor & { userId: number } {
  return { name: session.email, userId: session.user_id, role: caller.role }
}
