import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../database/database.ts'
import { OneOf } from '../http/openapi.ts'
import type { LoadAuth } from './auth-loader.ts'
import { listProjectsOf } from './session.sql.ts'
import { renewAfterSeconds, sessionSeconds } from './session-cookie.ts'
import { forwarded, passCookies } from './sign-in.routes.ts'

const SessionSchema = Type.Object(
  {
    user: Type.Object(
      { id: Type.Integer(), email: Type.String(), name: Type.String(), operator: Type.Boolean() },
      { additionalProperties: false },
    ),
    projects: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          name: Type.String(),
          plan: Type.String(),
          currency: Type.String(),
          api_access: Type.Boolean(),
          role: OneOf(['member', 'operator']),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

export function sessionRoutes(database: Database, loadAuth: LoadAuth): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/session', { schema: { response: { 200: SessionSchema } } }, async (request, reply) => {
      const { user_id: id, email, name, operator } = request.session
      await renew(request, reply, loadAuth)
      const role = operator ? ('operator' as const) : ('member' as const)
      const projects = await listProjectsOf(database, id)
      return {
        user: { id, email, name, operator },
        projects: projects.map((project) => ({ ...project, role })),
      }
    })
  }
}

/** Asked for by every page that is opened, so that a session which is used does not end. */
async function renew(request: FastifyRequest, reply: FastifyReply, loadAuth: LoadAuth): Promise<void> {
  const secondsLeft = (Date.parse(request.session.expires_at) - Date.now()) / 1000
  if (secondsLeft > sessionSeconds - renewAfterSeconds) return
  const auth = await loadAuth(request)
  const { headers } = await auth.api.getSession({ headers: forwarded(request), returnHeaders: true })
  passCookies(headers, reply)
}
