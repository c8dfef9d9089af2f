import { betterAuth } from 'better-auth/minimal'
import type { Queryable } from '../../platform/database/database.ts'
import { accountLimits } from '../limits.ts'
import { authAdapter } from './auth-adapter.ts'
import { cookiePrefix } from './session-cookie.ts'

/** better-auth with our tables, for passwords only. It is large: only src/access/sessions/auth-loader.ts loads this file. */
export function createAuth(database: Queryable, secret: string, secure: boolean) {
  return betterAuth({
    // better-auth requires a URL but does not use it here: there are no emailed links or redirects.
    baseURL: secure ? 'https://console.invalid' : 'http://console.invalid',
    basePath: '/console/auth',
    secrets: [{ version: 1, value: secret }],
    database: authAdapter(database),
    telemetry: { enabled: false },
    logger: { disabled: true },
    // src/access/throttle/throttle.ts limits wrong passwords instead.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: accountLimits.passwordLeastCharacters,
      maxPasswordLength: accountLimits.passwordCharacters,
    },
    user: { additionalFields: { operator: { type: 'boolean', input: false, defaultValue: false } } },
    session: {
      fields: { token: 'tokenHash' },
      expiresIn: accountLimits.sessionSeconds,
      updateAge: accountLimits.sessionRenewalSeconds,
    },
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
