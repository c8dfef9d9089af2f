import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { closed } from '../../platform/http/closed.ts'
import { Problem } from '../../platform/http/problems.ts'
import { pageEnvelope, pageParameters, readPage } from '../../platform/http/response/page-envelope.ts'
import { deleteSessionById, listOpenSessions } from './own-sessions.sql.ts'
import { OpenSessionPageSchema } from './session.schema.ts'
import { deleteOtherSessions } from './session.sql.ts'

const EndedSchema = Type.Object({ ended: Type.Integer() }, closed)

/** The user's own sessions. */
export function ownSessionRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/sessions',
      { schema: { querystring: Type.Object(pageParameters), response: { 200: OpenSessionPageSchema } } },
      async (request) => {
        const { user_id, token_hash } = request.session
        const page = readPage(request.query)
        return pageEnvelope(request, page, await listOpenSessions(database, user_id, token_hash, page))
      },
    )

    app.post(
      '/sessions/:id/end',
      { schema: { params: Type.Object({ id: Type.Integer() }), response: { 200: EndedSchema } } },
      async ({ session, params: { id } }) => {
        if (!(await deleteSessionById(database, session.user_id, id)))
          throw new Problem('not_found', { detail: `You have no session ${id}.` })
        return { ended: 1 }
      },
    )

    app.post('/sessions/end-others', { schema: { response: { 200: EndedSchema } } }, async ({ session }) => ({
      ended: await deleteOtherSessions(database, session.user_id, session.token_hash),
    }))
  }
}
