import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { searchParameter } from '../../platform/http/query/search-parameter.ts'
import { pageEnvelope, pageParameters, readPage } from '../../platform/http/response/page-envelope.ts'
import { accountLimits } from '../limits.ts'
import type { LoadAuth } from './auth-loader.ts'
import { forwardedHeaders, passCookies } from './open-session.ts'
import { recordSessionUse } from './own-sessions.sql.ts'
import { type Session, SessionProjectPageSchema, SessionSchema } from './session.schema.ts'
import { listProjectsOf } from './session.sql.ts'

const ProjectsQuery = Type.Object({ ...pageParameters, search: searchParameter('the name or the id') })

export function sessionRoutes(database: Database, loadAuth: LoadAuth): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/session',
      { config: { withoutSecondFactor: true }, schema: { response: { 200: SessionSchema } } },
      async (request, reply): Promise<Session> => {
        const { user_id: id, email, name, operator, ...session } = request.session
        const { lacks_second_factor, second_factor_reset_at } = session
        // The console stays readable while the database accepts no writes.
        const logFailure = (error: Error) =>
          request.log.warn({ reason: error.message }, 'session not renewed')
        await renew(request, reply, loadAuth).catch(logFailure)
        void recordUse(request, database).catch(logFailure)
        const first = { number: 1, size: 20 }
        const { count: project_count, results } = await listProjectsOf(database, id, undefined, first)
        const user = { id, email, name, operator, lacks_second_factor, second_factor_reset_at }
        return { user, projects: results, project_count }
      },
    )

    app.get(
      '/projects',
      { schema: { querystring: ProjectsQuery, response: { 200: SessionProjectPageSchema } } },
      async (request) => {
        const { query, session } = request
        const page = readPage(query)
        const found = await listProjectsOf(database, session.user_id, query.search, page)
        return pageEnvelope(request, page, found)
      },
    )
  }
}

/** Not on every request: a few minutes of accuracy are enough. */
async function recordUse({ session }: FastifyRequest, database: Database): Promise<void> {
  const milliseconds = Date.now() - Date.parse(session.updated_at)
  if (milliseconds > accountLimits.lastUseSeconds * 1000) await recordSessionUse(database, session.token_hash)
}

/** Every page load reads and renews the session, so a session in use does not end. */
async function renew(request: FastifyRequest, reply: FastifyReply, loadAuth: LoadAuth): Promise<void> {
  const secondsLeft = (Date.parse(request.session.expires_at) - Date.now()) / 1000
  if (secondsLeft > accountLimits.sessionSeconds - accountLimits.sessionRenewalSeconds) return
  const auth = await loadAuth(request)
  const { headers } = await auth.api.getSession({ headers: forwardedHeaders(request), returnHeaders: true })
  passCookies(headers, reply)
}
