import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { TooBusy } from '../../platform/scheduling/concurrency-limit.ts'
import { ProviderPageSchema, StartSchema } from '../company-accounts/company.schema.ts'
import type { CompanySignIn } from '../company-accounts/company-sign-in.ts'
import { enterCompany } from '../company-accounts/enter-company.ts'
import { linkOwnAccount } from '../company-accounts/link-company.ts'
import type { Identity } from '../company-accounts/provider.ts'
import { addressLimits, type Throttle } from '../throttle/throttle.ts'
import { findSignInState } from '../users/sign-in-state.sql.ts'
import type { OpenSession } from './open-session.ts'

type Parts = {
  database: Database
  company: CompanySignIn
  requireSession: (request: FastifyRequest) => Promise<void>
  throttled: Throttle
  sessions: OpenSession
}

type Ticket = Awaited<ReturnType<CompanySignIn['take']>>

/** The sign-in with a company account: to the provider, and back. */
export function companyStepRoutes(parts: Parts): FastifyPluginAsyncTypebox {
  const { company, throttled } = parts
  return async (app) => {
    // POST, so that other sites cannot start a sign-in.
    app.post(
      '/company/start',
      { schema: { body: StartSchema, response: { 200: ProviderPageSchema } } },
      async (request, reply) => company.start(request, reply, { next: request.body.next ?? '/' }),
    )

    // A page of the provider leads here, so every result is a page of the console.
    app.get(
      '/company/callback',
      { config: { withoutSecondFactor: true }, schema: { response: { 303: Type.Null() } } },
      async (request, reply) => {
        reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
        const ticket = await company.take(request, reply)
        try {
          // Not counted as a failure: any site can send a browser here.
          if (ticket === undefined) throw new Problem('company_sign_in_failed')
          const identity = await throttled(addressLimits(request.ip), () =>
            company.finish(request, ticket),
          ).catch(asProblem)
          return reply.redirect(await arrive(parts, request, reply, identity, ticket), 303)
        } catch (error) {
          if (!(error instanceof Problem)) throw error
          // The provider's messages are for operators: they can contain what an attacker chose.
          const reason = (error.cause as Error | undefined)?.message ?? error.problemCode
          request.log.warn({ reason }, 'sign-in with a company account refused')
          return reply.redirect(addressOf(error, ticket), 303)
        }
      },
    )
  }
}

/** Links the account, or opens the session. Returns the page to show. */
async function arrive(
  { database, company, requireSession, sessions }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  identity: Identity,
  ticket: Ticket,
): Promise<string> {
  const { next = '/', link_user } = ticket ?? {}
  const settings = company.requireSettings()
  if (link_user !== undefined) {
    await requireSession(request)
    if (request.session.user_id !== link_user) throw new Problem('other_account')
    await linkOwnAccount(database, settings, link_user, identity)
    return `${next}?linked=true`
  }
  const user_id = await enterCompany(database, settings, identity)
  const state = await findSignInState(database, user_id)
  if (state === undefined) throw new Problem('no_company_access')
  const { second_factor } = identity
  const methods = await sessions.enter(request, reply, { user_id, state, second_factor })
  return methods.length === 0 ? next : `/sign-in?${new URLSearchParams({ step: 'second-factor', next })}`
}

function asProblem(error: Error): never {
  throw error instanceof TooBusy ? new Problem(error.failure) : error
}

function addressOf({ problemCode }: Problem, ticket: Ticket): string {
  const { next = '/', link_user } = ticket ?? {}
  if (link_user !== undefined) return `${next}?problem=${problemCode}`
  return `/sign-in?${new URLSearchParams({ problem: problemCode, next })}`
}
