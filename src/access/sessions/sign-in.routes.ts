import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { closed } from '../../platform/http/closed.ts'
import { Problem } from '../../platform/http/problems.ts'
import { accountLimits } from '../limits.ts'
import { passwordLimits, signInLimits, type Throttle } from '../throttle/throttle.ts'
import { checkPassword } from '../users/check-password.ts'
import type { LoadAuth } from './auth-loader.ts'
import { changePassword } from './change-password.ts'
import type { LocalSignIn } from './local-sign-in.ts'
import { forwardedHeaders, type OpenSession, passCookies } from './open-session.ts'
import { type EntryResult, EntrySchema, MethodsSchema } from './sign-in.schema.ts'

type Hook = (request: FastifyRequest) => Promise<void>

const PasswordSchema = Type.String({ maxLength: accountLimits.passwordCharacters })
const SignInSchema = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: accountLimits.emailCharacters, 'x-normalised': true }),
    password: PasswordSchema,
  },
  closed,
)
const NewPasswordSchema = Type.Object(
  {
    currentPassword: PasswordSchema,
    newPassword: Type.String({
      minLength: accountLimits.passwordLeastCharacters,
      maxLength: accountLimits.passwordCharacters,
    }),
    revokeOtherSessions: Type.Optional(Type.Boolean()),
  },
  closed,
)
const Done = { 200: Type.Object({ success: Type.Boolean() }, closed) }
const done = { success: true }
const SignedInSchema = Type.Object({ signed_in: Type.Boolean() }, closed)

type Parts = {
  database: Database
  loadAuth: LoadAuth
  requireSession: Hook
  throttled: Throttle
  sessions: OpenSession
  local: LocalSignIn
}

/** Passwords, and the end of a session. */
export function signInRoutes({
  database,
  loadAuth,
  requireSession,
  throttled,
  sessions,
  local,
}: Parts): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/sign-in/email',
      { schema: { body: SignInSchema, response: { 200: EntrySchema } } },
      async (request, reply): Promise<EntryResult> => {
        const { email, password } = request.body
        local.rejectAll()
        return throttled(signInLimits(email, request.ip), async () => {
          const checked = await checkPassword(database, email, password)
          if (checked === undefined) throw new Problem('wrong_credentials')
          await local.reject(checked)
          const { user_id, state } = checked
          const proven = { user_id, state, second_factor: false }
          const methods = await sessions.enter(request, reply, proven).catch(asWrongCredentials)
          return methods.length === 0 ? done : { success: false, second_factor: methods }
        })
      },
    )

    app.get('/methods', { schema: { response: { 200: MethodsSchema } } }, async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return local.methods
    })

    // For the sign-in page, where a missing session is not an error.
    app.get(
      '/signed-in',
      { config: { withoutSecondFactor: true }, schema: { response: { 200: SignedInSchema } } },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        const isSignedIn = await requireSession(request).then(() => true, isNotAuthenticated)
        return { signed_in: isSignedIn }
      },
    )

    app.post('/sign-out', { schema: { response: Done } }, async (request, reply) => {
      const auth = await loadAuth(request)
      const { headers } = await auth.api.signOut({ headers: forwardedHeaders(request), returnHeaders: true })
      passCookies(headers, reply)
      return done
    })

    app.post(
      '/change-password',
      {
        config: { withoutSecondFactor: true },
        onRequest: requireSession,
        schema: { body: NewPasswordSchema, response: Done },
      },
      async ({ session, body }, reply) => {
        await throttled(passwordLimits(session.user_id), () => changePassword(database, session, body))
        reply.header('cache-control', 'no-store')
        return done
      },
    )
  }
}

/** A password that was replaced during its check is a wrong one. */
function asWrongCredentials(error: Error): never {
  throw error instanceof Problem ? new Problem('wrong_credentials') : error
}

/** Rethrows any other error. */
function isNotAuthenticated(error: Error): false {
  if (error instanceof Problem && error.problemCode === 'not_authenticated') return false
  throw error
}
