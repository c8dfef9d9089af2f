import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { closed } from '../../platform/http/closed.ts'
import { Problem } from '../../platform/http/problems.ts'
import { accountLimits } from '../limits.ts'
import { passwordLimits, signInLimits, type Throttle } from '../throttle/throttle.ts'
import type { LoadAuth } from './auth-loader.ts'
import { changePassword } from './change-password.ts'
import { deleteSession, findPasswordHash } from './session.sql.ts'
import { hashSessionToken } from './session-cookie.ts'

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

/** Serves only the better-auth routes that the console needs. */
export function signInRoutes(
  database: Database,
  loadAuth: LoadAuth,
  requireSession: Hook,
  throttled: Throttle,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post('/sign-in/email', { schema: { body: SignInSchema, response: Done } }, async (request, reply) => {
      const { email, password } = request.body
      const auth = await loadAuth(request)
      const { headers } = await throttled(signInLimits(email, request.ip), () =>
        whilePasswordUnchanged(database, email, () =>
          auth.api
            .signInEmail({
              body: { email, password },
              headers: forwardedHeaders(request),
              returnHeaders: true,
            })
            .catch(throwWrongCredentials),
        ),
      )
      passCookies(headers, reply)
      return done
    })

    // For the sign-in page, where a missing session is not an error.
    app.get('/signed-in', { schema: { response: { 200: SignedInSchema } } }, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const isSignedIn = await requireSession(request).then(() => true, isNotAuthenticated)
      return { signed_in: isSignedIn }
    })

    app.post('/sign-out', { schema: { response: Done } }, async (request, reply) => {
      const auth = await loadAuth(request)
      const { headers } = await auth.api.signOut({ headers: forwardedHeaders(request), returnHeaders: true })
      passCookies(headers, reply)
      return done
    })

    app.post(
      '/change-password',
      { onRequest: requireSession, schema: { body: NewPasswordSchema, response: Done } },
      async ({ session, body }, reply) => {
        await throttled(passwordLimits(session.user_id), () => changePassword(database, session, body))
        reply.header('cache-control', 'no-store')
        return done
      },
    )
  }
}

/**
 * A reset can change the password and end all sessions between the password check and the insert of the new session. The insert waits
 * for a running reset, so the password read afterwards is current. A disabled user gets the same error as for a wrong
 * password, after the same time.
 */
async function whilePasswordUnchanged<Opened extends { response: { token: string } }>(
  database: Database,
  email: string,
  open: () => Promise<Opened>,
): Promise<Opened> {
  const before = await findPasswordHash(database, email)
  const opened = await open()
  if (before !== undefined && (await findPasswordHash(database, email)) === before) return opened
  await deleteSession(database, hashSessionToken(opened.response.token))
  throw new Problem('wrong_credentials')
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

/** Rethrows any other error. */
function isNotAuthenticated(error: Error): false {
  if (error instanceof Problem && error.problemCode === 'not_authenticated') return false
  throw error
}

/** Translates errors of better-auth; rethrows others, such as database errors. */
function throwWrongCredentials(error: Error & { body?: { code?: string } }): never {
  throw error.body === undefined ? error : new Problem('wrong_credentials')
}
