import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { selfServiceScopes } from '../../model/scopes.ts'
import type { Database } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { tokenLimits } from '../limits.ts'
import { isManager } from '../roles.ts'
import { showToken } from './manage-token.ts'
import { readOverlap } from './overlap.ts'
import { issueOwnToken, revokeOwnToken, rotateOwnToken, type SelfService } from './self-service.ts'
import { rejectPastExpiry } from './token.routes.ts'
import { IssuedTokenSchema, NewTokenSchema, RotationSchema, TokenSchema } from './token.schema.ts'

const TokenId = Type.Object({ project_id: Type.Integer(), token_id: Type.Integer() })

/** Self-service tokens, for project managers. */
export function ownTokenRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireManager)

    app.post(
      '/tokens',
      { schema: { body: NewTokenSchema, response: { 201: IssuedTokenSchema } } },
      async (request, reply) => {
        const { expires_at: expiresAt = null, ...body } = request.body
        rejectPastExpiry(expiresAt)
        reply.code(201)
        return issueOwnToken(database, actorOf(request), selfServiceOf(request), { ...body, expiresAt })
      },
    )

    app.post(
      '/tokens/:token_id/show',
      { schema: { params: TokenId, response: { 200: IssuedTokenSchema } } },
      async (request) =>
        showToken(database, actorOf(request), request.caller.project_id, request.params.token_id),
    )

    app.post(
      '/tokens/:token_id/rotate',
      { schema: { params: TokenId, body: RotationSchema, response: { 200: IssuedTokenSchema } } },
      async (request) => {
        const seconds = readOverlap(request.body.overlap ?? '') ?? tokenLimits.overlapSeconds
        const { token_id } = request.params
        return rotateOwnToken(database, actorOf(request), selfServiceOf(request), token_id, seconds)
      },
    )

    app.post(
      '/tokens/:token_id/revoke',
      { schema: { params: TokenId, response: { 200: TokenSchema } } },
      async (request) =>
        revokeOwnToken(database, actorOf(request), request.caller.project_id, request.params.token_id),
    )
  }
}

async function requireManager({ caller }: FastifyRequest): Promise<void> {
  if (!isManager(caller.role)) throw new Problem('insufficient_role')
}

function actorOf({ session }: FastifyRequest): { name: string } {
  return { name: session.email }
}

function selfServiceOf({ caller }: FastifyRequest): SelfService {
  const { project_id, api_access, self_service_tokens = false, self_service_scopes } = caller
  return {
    project_id,
    isAllowed: api_access && self_service_tokens,
    scopes: self_service_scopes ?? selfServiceScopes,
  }
}
