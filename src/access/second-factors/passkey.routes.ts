import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { openTickets } from '../cookies/ticket.ts'
import { secondFactorLimits } from '../limits.ts'
import { addFactor, removeFactor } from './manage-second-factor.ts'
import { deletePasskey, insertPasskey, listCredentials, listPasskeys, renamePasskey } from './passkey.sql.ts'
import type { Reauthenticate } from './reauthenticate.ts'
import {
  NewPasskeySchema,
  PasskeyNameBodySchema,
  PasskeyOptionsSchema,
  PasskeySchema,
  ProofSchema,
  RecoveryCodesSchema,
} from './second-factor.schema.ts'
import { checkRegistration, registrationOptions, siteOf } from './web-authn.ts'

type Parts = { database: Database; secret: () => Promise<string>; reauthenticate: Reauthenticate }

const config = { withoutSecondFactor: true }
const Id = Type.Object({ id: Type.Integer() })
const Passkeys = { 200: Type.Array(PasskeySchema) }

/** Passkeys of the signed-in user. */
export function passkeyRoutes({ database, secret, reauthenticate }: Parts): FastifyPluginAsyncTypebox {
  const challenges = openTickets<{ challenge: string; userId: number }>(secret, 'new_passkey')

  return async (app) => {
    app.post(
      '/account/passkeys/options',
      { config, schema: { body: ProofSchema, response: { 200: PasskeyOptionsSchema } } },
      async (request, reply) => {
        const { session, body } = request
        await reauthenticate(session, body.password)
        const known = await listCredentials(database, session.user_id)
        if (known.length >= secondFactorLimits.passkeys) throw new Problem('too_many_passkeys')
        const { user_id: userId, email, name } = session
        const options = await registrationOptions(siteOf(request), { userId, email, name, known })
        await challenges.give(request, reply, { challenge: options.challenge, userId })
        return { ...options }
      },
    )

    app.post(
      '/account/passkeys',
      { config, schema: { body: NewPasskeySchema, response: { 200: RecoveryCodesSchema } } },
      async (request, reply) => {
        const { session, body } = request
        const ticket = await challenges.take(request, reply)
        if (ticket?.userId !== session.user_id) throw new Problem('wrong_passkey')
        const made = await checkRegistration(database, siteOf(request), ticket.challenge, body.credential)
        const recovery_codes = await addFactor(database, session, 'passkey', async (tx) => {
          const known = await listCredentials(tx, session.user_id)
          if (known.length >= secondFactorLimits.passkeys) throw new Problem('too_many_passkeys')
          if (!(await insertPasskey(tx, session.user_id, { ...made, name: body.name })))
            throw new Problem('second_factor_exists')
        })
        return { recovery_codes }
      },
    )

    app.patch(
      '/account/passkeys/:id',
      { schema: { params: Id, body: PasskeyNameBodySchema, response: Passkeys } },
      async ({ session, params, body }) => {
        if (!(await renamePasskey(database, session.user_id, params.id, body.name)))
          throw new Problem('not_found', { detail: `You have no passkey ${params.id}.` })
        return listPasskeys(database, session.user_id)
      },
    )

    app.post(
      '/account/passkeys/:id/remove',
      { schema: { params: Id, body: ProofSchema, response: Passkeys } },
      async ({ session, params, body }) => {
        await reauthenticate(session, body.password)
        await removeFactor(database, session, 'passkey', (tx) =>
          deletePasskey(tx, session.user_id, params.id),
        )
        return listPasskeys(database, session.user_id)
      },
    )
  }
}
