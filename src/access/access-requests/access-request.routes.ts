import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { pageEnvelope, readPage } from '../../platform/http/response/page-envelope.ts'
import {
  AccessRequestPageSchema,
  AccessRequestQuerySchema,
  AccessRequestSchema,
  ApprovedRequestSchema,
  DeclineSchema,
} from './access-request.schema.ts'
import { listAccessRequests } from './access-request.sql.ts'
import { approveRequest, declineRequest } from './decide-request.ts'

const Id = Type.Object({ id: Type.Integer() })

/** Requests for API access, for the admin area. */
export function accessRequestRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/access-requests',
      { schema: { querystring: AccessRequestQuerySchema, response: { 200: AccessRequestPageSchema } } },
      async (request) => {
        const page = readPage(request.query)
        return pageEnvelope(request, page, await listAccessRequests(database, request.query.state, page))
      },
    )

    app.post(
      '/access-requests/:id/approve',
      { schema: { params: Id, response: { 200: ApprovedRequestSchema } } },
      async ({ session, params }) => approveRequest(database, { name: session.email }, params.id),
    )

    app.post(
      '/access-requests/:id/decline',
      { schema: { params: Id, body: DeclineSchema, response: { 200: AccessRequestSchema } } },
      async ({ session, params, body }) =>
        declineRequest(database, { name: session.email }, params.id, body.reason),
    )
  }
}
