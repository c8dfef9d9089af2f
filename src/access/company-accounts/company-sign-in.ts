import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'
import { openTickets } from '../cookies/ticket.ts'
import { secondFactorLimits } from '../limits.ts'
import { takeChallenge } from '../second-factors/second-factor.sql.ts'
import type { CompanySettings } from './company-settings.ts'
import { type Identity, openProvider, type Started } from './provider.ts'

/** `link_user`: the signed-in user who links the account. */
type Purpose = { next: string; link_user?: number }

export type CompanySignIn = ReturnType<typeof companySignIn>

const callbackPath = '/console/auth/company/callback'

/** The way to the provider and back. */
export function companySignIn(
  database: Database,
  secret: () => Promise<string>,
  settings: CompanySettings | undefined,
) {
  const provider = settings && openProvider(settings)
  const tickets = openTickets<Started & Purpose>(secret, 'company')
  const redirectUri = (request: FastifyRequest) => baseUrlOf(request) + callbackPath

  return {
    settings,
    requireSettings(): CompanySettings {
      if (settings === undefined) throw new Problem('company_sign_in_off')
      return settings
    },

    /** The address of the provider's page. The browser keeps the rest in an encrypted cookie. */
    async start(request: FastifyRequest, reply: FastifyReply, purpose: Purpose): Promise<{ url: string }> {
      if (provider === undefined) throw new Problem('company_sign_in_off')
      const { url, ...started } = await provider.start(redirectUri(request))
      await tickets.give(request, reply, { ...started, ...purpose })
      return { url }
    },

    /** What the browser kept; undefined if it did not start a sign-in. */
    take: (request: FastifyRequest, reply: FastifyReply) => tickets.take(request, reply),

    /** Verifies the response of the provider. Each state counts once, in all processes. */
    async finish(request: FastifyRequest, ticket: Started): Promise<Identity> {
      if (provider === undefined) throw new Problem('company_sign_in_off')
      const key = createHash('sha256').update(`company ${ticket.state}`).digest()
      if (!(await takeChallenge(database, key, secondFactorLimits.stepSeconds)))
        throw new Problem('company_sign_in_failed')
      const { search } = new URL(request.url, 'http://console.invalid')
      return provider.finish(new URL(redirectUri(request) + search), ticket)
    },
  }
}
