import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { betterAuth } from 'better-auth/minimal'
import type { Queryable } from '../../platform/database/database.ts'
import { cookiePrefix } from '../cookies/cookie.ts'
import { accountLimits } from '../limits.ts'
import { authAdapter } from './auth-adapter.ts'

/** better-auth with our tables, for sessions and their cookies only. It is large: only src/access/sessions/auth-loader.ts loads this file. */
export function createAuth(database: Queryable, secret: string, secure: boolean) {
  return betterAuth({
    // better-auth requires a URL but does not use it here: there are no emailed links or redirects.
    baseURL: secure ? 'https://console.invalid' : 'http://console.invalid',
    basePath: '/console/auth',
    secrets: [{ version: 1, value: secret }],
    database: authAdapter(database),
    telemetry: { enabled: false },
    logger: { disabled: true },
    // src/access/throttle/throttle.ts limits wrong passwords and codes instead.
    rateLimit: { enabled: false },
    user: { additionalFields: { operator: { type: 'boolean', input: false, defaultValue: false } } },
    session: {
      fields: { token: 'tokenHash' },
      additionalFields: { secondFactor: { type: 'boolean', input: false, defaultValue: false } },
      expiresIn: accountLimits.sessionSeconds,
      updateAge: accountLimits.sessionRenewalSeconds,
    },
    plugins: [{ id: 'catalog', endpoints: { openSession } }],
    advanced: {
      cookiePrefix,
      useSecureCookies: secure,
      defaultCookieAttributes: { path: '/console', httpOnly: true, sameSite: 'lax', secure },
      database: { generateId: 'serial' },
      ipAddress: { ipAddressHeaders: ['x-client-address'] },
    },
  })
}

export type Auth = ReturnType<typeof createAuth>

type NewSession = { userId: number; secondFactor: boolean }

/** Only the service itself sends this body. */
const unchecked = {
  '~standard': { version: 1, vendor: 'catalog', validate: (value: unknown) => ({ value }) },
} as const

/** Has no path, so that only the service can call it. Null if the database refuses a session without a second factor. */
const openSession = createAuthEndpoint({ method: 'POST', body: unchecked }, async (context) => {
  const { userId, secondFactor } = context.body as NewSession
  const { internalAdapter } = context.context
  const user = await internalAdapter.findUserById(String(userId))
  const session = user && (await internalAdapter.createSession(String(userId), false, { secondFactor }, true))
  if (!session || !user) return { token: null }
  await setSessionCookie(context, { session, user })
  return { token: session.token }
})
