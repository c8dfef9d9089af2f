import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { closed } from '../../platform/http/closed.ts'
import { Problem } from '../../platform/http/problems.ts'
import { invitationLimits, type Throttle } from '../throttle/throttle.ts'
import { AcceptanceSchema, InvitationSchema, SecretSchema } from './invitation.schema.ts'
import { findInvitation } from './invitation.sql.ts'
import { acceptInvitation, hashSecret } from './invite-user.ts'

const Accepted = Type.Object({ email: Type.String() }, closed)

/** For holders of an invitation link, who have no session yet. */
export function invitationRoutes(database: Database, throttled: Throttle): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

    // POST keeps the secret out of URLs and logs.
    app.post(
      '/invitation',
      { schema: { body: SecretSchema, response: { 200: InvitationSchema } } },
      async ({ body, ip }) =>
        throttled(invitationLimits(ip), async () => {
          const found = await findInvitation(database, hashSecret(body.secret))
          if (found === undefined) throw new Problem('invalid_invitation')
          return found
        }),
    )

    app.post(
      '/accept-invitation',
      { schema: { body: AcceptanceSchema, response: { 200: Accepted } } },
      async ({ body, ip }) =>
        throttled(invitationLimits(ip), () => acceptInvitation(database, body.secret, body.newPassword)),
    )
  }
}
