import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { selfServiceScopes } from '../../model/scopes.ts'
import type { Database } from '../../platform/database/database.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'
import { pageEnvelope, readPage } from '../../platform/http/response/page-envelope.ts'
import { rateLimitOf } from '../projects/project.schema.ts'
import { isManager } from '../roles.ts'
import { TokenPageSchema, TokensQuery } from '../tokens/token.routes.ts'
import { listTokenPage } from '../tokens/token.sql.ts'
import { listUsage } from '../usage/usage.sql.ts'
import { AccessRequestSchema, NewAccessRequestSchema } from './access-request.schema.ts'
import { findLatestRequest } from './access-request.sql.ts'
import { type ApiAccess, ApiAccessSchema } from './api-access.schema.ts'
import { requestAccess } from './request-access.ts'

/** Settings → API access, for the members of a project. */
export function apiAccessRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/api-access',
      { schema: { response: { 200: ApiAccessSchema } } },
      async (request): Promise<ApiAccess> => {
        const { caller } = request
        const [latest, tokens, usage] = await Promise.all([
          findLatestRequest(database, caller.project_id),
          listTokenPage(database, caller.project_id, {}, { number: 1, size: 20 }),
          listUsage(database, caller.project_id),
        ])
        return {
          locked: !caller.api_access,
          base_url: `${baseUrlOf(request)}/v2`,
          plan: caller.plan,
          rate_limit: rateLimitOf(caller),
          request: latest ?? null,
          tokens: tokens.results,
          self_service: {
            allowed: caller.api_access && caller.self_service_tokens === true && isManager(caller.role),
            scopes: [...(caller.self_service_scopes ?? selfServiceScopes)],
          },
          usage,
        }
      },
    )

    app.get(
      '/tokens',
      { schema: { querystring: TokensQuery, response: { 200: TokenPageSchema } } },
      async (request) => {
        const page = readPage(request.query)
        const found = await listTokenPage(database, request.caller.project_id, request.query, page)
        return pageEnvelope(request, page, found)
      },
    )

    app.post(
      '/access-requests',
      { schema: { body: NewAccessRequestSchema, response: { 201: AccessRequestSchema } } },
      async ({ caller, session, body }, reply) => {
        reply.code(201)
        return requestAccess(database, caller.project_id, session.email, body)
      },
    )
  }
}
