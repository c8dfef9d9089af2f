import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/database.ts'
import type { LoadAuth } from './auth-loader.ts'
import { type Session, SessionSchema } from './session.schema.ts'
import { listProjectsOf } from './session.sql.ts'
import { renewAfterSeconds, sessionSeconds } from './session-cookie.ts'
import { forwardedHeaders, passCookies } from './sign-in.routes.ts'

export function sessionRoutes(database: Database, loadAuth: LoadAuth): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/session',
      { schema: { response: { 200: SessionSchema } } },
      async (request, reply): Promise<Session> => {
        const { user_id: id, email, name, operator } = request.session
        await renew(request, reply, loadAuth)
        return { user: { id, email, name, operator }, projects: await listProjectsOf(database, id) }
      },
    )
  }
}

/** Every page that is opened reads the session and so renews it: a session that is used does not end. */
async function renew(request: FastifyRequest, reply: FastifyReply, loadAuth: LoadAuth): Promise<void> {
  const secondsLeft = (Date.parse(request.session.expires_at) - Date.now()) / 1000
  if (secondsLeft > sessionSeconds - renewAfterSeconds) return
  const auth = await loadAuth(request)
  const { headers } = await auth.api.getSession({ headers: forwardedHeaders(request), returnHeaders: true })
  passCookies(headers, reply)
}
