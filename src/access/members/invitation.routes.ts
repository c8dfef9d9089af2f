import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { closed } from '../../platform/http/closed.ts'
import { Problem } from '../../platform/http/problems.ts'
import { invitationLimits, type Throttle } from '../throttle/throttle.ts'
import {
  AcceptanceSchema,
  type Invitation,
  InvitationSchema,
  SecretSchema,
} from '../users/invitation.schema.ts'
import { findInvitation } from '../users/invitation.sql.ts'
import { acceptInvitation, hashSecret } from '../users/invite-user.ts'
import { acceptAsNewUser } from './invite-member.ts'
import { findMemberInvitation } from './member-invitation.sql.ts'

const Accepted = Type.Object({ email: Type.String() }, closed)

/** For holders of an invitation link, who have no session yet. */
export function invitationRoutes(
  database: Database,
  throttled: Throttle,
  /** Throws if the user cannot sign in with a password. */
  rejectLocal: (user: { user_id: number; operator: boolean }) => Promise<void>,
): FastifyPluginAsyncTypebox {
  const newUser = { user_id: 0, operator: false }
  const find = async (secret: string): Promise<Invitation | undefined> => {
    const account = await findInvitation(database, hashSecret(secret))
    await rejectLocal(account ?? newUser)
    if (account !== undefined) return { ...account, project: null }
    const member = await findMemberInvitation(database, hashSecret(secret))
    return member && { ...member, name: '', project: { name: member.project_name, role: member.role } }
  }

  return async (app) => {
    app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

    // POST keeps the secret out of URLs and logs.
    app.post(
      '/invitation',
      { schema: { body: SecretSchema, response: { 200: InvitationSchema } } },
      async ({ body, ip }) =>
        throttled(invitationLimits(ip), async () => {
          const found = await find(body.secret)
          if (found === undefined) throw new Problem('invalid_invitation')
          return found
        }),
    )

    app.post(
      '/accept-invitation',
      { schema: { body: AcceptanceSchema, response: { 200: Accepted } } },
      async ({ body: { secret, newPassword }, ip }) =>
        throttled(invitationLimits(ip), async () => {
          await rejectLocal((await findInvitation(database, hashSecret(secret))) ?? newUser)
          const member = await findMemberInvitation(database, hashSecret(secret))
          return member === undefined
            ? acceptInvitation(database, secret, newPassword)
            : acceptAsNewUser(database, member, newPassword)
        }),
    )
  }
}
