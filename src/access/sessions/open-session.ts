import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { openTickets, type Tickets } from '../cookies/ticket.ts'
import { findFactors, hasFactor } from '../second-factors/second-factor.sql.ts'
import { findSignInState } from '../users/sign-in-state.sql.ts'
import type { LoadAuth } from './auth-loader.ts'
import { deleteSession } from './session.sql.ts'
import { hashSessionToken } from './session-cookie.ts'
import type { FactorMethod } from './sign-in.schema.ts'

/** What a user has proven so far. `state` is that of the account before the first check. */
export type Proven = { user_id: number; state: string; second_factor: boolean }

export type OpenSession = ReturnType<typeof sessionOpener>

/** Opens the session of a user, or asks for the second factor: no session exists before both are proven. */
export function sessionOpener(database: Database, loadAuth: LoadAuth, secret: () => Promise<string>) {
  const tickets: Tickets<Proven> = openTickets(secret, 'second_factor')

  async function methodsOf(userId: number): Promise<FactorMethod[]> {
    const factors = await findFactors(database, userId)
    if (!hasFactor(factors)) return []
    return [
      ...(factors.totp ? (['totp'] as const) : []),
      ...(factors.passkeys > 0 ? (['passkey'] as const) : []),
      ...(factors.recovery_codes > 0 ? (['recovery_code'] as const) : []),
    ]
  }

  /**
   * A reset can change the password or the factors and end all sessions between the check and the insert of the new session. The
   * insert waits for a running reset, so the state that is read afterwards is current.
   */
  async function open(request: FastifyRequest, reply: FastifyReply, proven: Proven): Promise<void> {
    const auth = await loadAuth(request)
    const { headers, response } = await auth.api.openSession({
      body: { userId: proven.user_id, secondFactor: proven.second_factor },
      headers: forwardedHeaders(request),
      returnHeaders: true,
    })
    if (response.token === null) throw new Problem('sign_in_expired')
    if ((await findSignInState(database, proven.user_id)) !== proven.state) {
      await deleteSession(database, hashSessionToken(response.token))
      throw new Problem('sign_in_expired')
    }
    passCookies(headers, reply)
  }

  return {
    tickets,
    methodsOf,
    /** Returns the methods for the second factor; none if the session is open. */
    async enter(request: FastifyRequest, reply: FastifyReply, proven: Proven): Promise<FactorMethod[]> {
      const methods = proven.second_factor ? [] : await methodsOf(proven.user_id)
      if (methods.length === 0) await open(request, reply, proven)
      else await tickets.give(request, reply, proven)
      return methods
    },
    /** For a user who has just given the second factor. */
    async enterWithFactor(request: FastifyRequest, reply: FastifyReply, proven: Proven): Promise<void> {
      await open(request, reply, { ...proven, second_factor: true })
      await tickets.take(request, reply)
    },
  }
}

/** The headers that better-auth reads, with the verified client address. */
export function forwardedHeaders({ headers, ip }: FastifyRequest): Headers {
  return new Headers({
    cookie: headers.cookie ?? '',
    'user-agent': headers['user-agent']?.slice(0, 500) ?? '',
    'x-client-address': ip,
  })
}

export function passCookies(headers: Headers, reply: FastifyReply): void {
  for (const cookie of headers.getSetCookie()) reply.header('set-cookie', cookie)
  reply.header('cache-control', 'no-store')
}
