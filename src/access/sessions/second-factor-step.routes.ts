import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { closed } from '../../platform/http/closed.ts'
import { Problem } from '../../platform/http/problems.ts'
import { openTickets } from '../cookies/ticket.ts'
import { checkRecoveryCode, checkTotp } from '../second-factors/manage-second-factor.ts'
import { listCredentials } from '../second-factors/passkey.sql.ts'
import {
  CodeSchema,
  CredentialSchema,
  PasskeyOptionsSchema,
  RecoveryCodeSchema,
} from '../second-factors/second-factor.schema.ts'
import { authenticationOptions, checkAuthentication, siteOf } from '../second-factors/web-authn.ts'
import { addressLimits, secondFactorLimitsOf, type Throttle } from '../throttle/throttle.ts'
import { findSignInState } from '../users/sign-in-state.sql.ts'
import type { LocalSignIn } from './local-sign-in.ts'
import type { OpenSession, Proven } from './open-session.ts'
import { type EntryResult, EntrySchema } from './sign-in.schema.ts'

const done = { success: true }
const Done = { 200: EntrySchema }
const Options = { 200: PasskeyOptionsSchema }
const Answer = Type.Object({ credential: CredentialSchema }, closed)

type Parts = {
  database: Database
  secret: () => Promise<string>
  throttled: Throttle
  sessions: OpenSession
  local: LocalSignIn
}

/** The second step of a sign-in, and the sign-in with a passkey alone. */
export function secondFactorStepRoutes({
  database,
  secret,
  throttled,
  sessions,
  local,
}: Parts): FastifyPluginAsyncTypebox {
  const challenges = openTickets<{ challenge: string }>(secret, 'passkey')

  async function requireTicket(request: FastifyRequest): Promise<Proven> {
    const proven = await sessions.tickets.read(request)
    if (proven === undefined || (await findSignInState(database, proven.user_id)) !== proven.state)
      throw new Problem('sign_in_expired')
    return proven
  }

  return async (app) => {
    app.get(
      '/second-factor',
      { schema: { response: Done } },
      async (request, reply): Promise<EntryResult> => {
        reply.header('cache-control', 'no-store')
        const { user_id } = await requireTicket(request)
        return { success: false, second_factor: await sessions.methodsOf(user_id) }
      },
    )

    for (const [path, body, check] of [
      [
        'totp',
        CodeSchema,
        async (userId: number, code: string) =>
          checkTotp(database, await secret(), userId, code.replaceAll(/\s/g, '')),
      ],
      [
        'recovery-code',
        RecoveryCodeSchema,
        (userId: number, code: string) => checkRecoveryCode(database, userId, code),
      ],
    ] as const)
      app.post(`/second-factor/${path}`, { schema: { body, response: Done } }, async (request, reply) => {
        const proven = await requireTicket(request)
        await throttled(secondFactorLimitsOf(proven.user_id), () => check(proven.user_id, request.body.code))
        await sessions.enterWithFactor(request, reply, proven)
        return done
      })

    app.post('/second-factor/passkey-options', { schema: { response: Options } }, async (request, reply) => {
      const { user_id } = await requireTicket(request)
      const options = await authenticationOptions(siteOf(request), await listCredentials(database, user_id))
      await challenges.give(request, reply, { challenge: options.challenge })
      return { ...options }
    })

    app.post(
      '/second-factor/passkey',
      { schema: { body: Answer, response: Done } },
      async (request, reply) => {
        const proven = await requireTicket(request)
        const challenge = (await challenges.take(request, reply))?.challenge ?? ''
        await throttled(secondFactorLimitsOf(proven.user_id), async () => {
          const { credential } = request.body
          const passkey = await checkAuthentication(database, siteOf(request), challenge, credential, false)
          if (passkey.user_id !== proven.user_id) throw new Problem('wrong_passkey')
        })
        await sessions.enterWithFactor(request, reply, proven)
        return done
      },
    )

    app.post('/sign-in/passkey-options', { schema: { response: Options } }, async (request, reply) => {
      local.rejectAll()
      const options = await authenticationOptions(siteOf(request))
      await challenges.give(request, reply, { challenge: options.challenge })
      return { ...options }
    })

    app.post('/sign-in/passkey', { schema: { body: Answer, response: Done } }, async (request, reply) => {
      const challenge = (await challenges.take(request, reply))?.challenge ?? ''
      await throttled(addressLimits(request.ip), async () => {
        const { credential } = request.body
        const passkey = await checkAuthentication(database, siteOf(request), challenge, credential, true)
        const { user_id } = passkey
        await local.reject(passkey)
        const state = await findSignInState(database, user_id)
        if (state === undefined) throw new Problem('wrong_passkey')
        await sessions.enterWithFactor(request, reply, { user_id, state, second_factor: true })
      })
      return done
    })
  }
}
