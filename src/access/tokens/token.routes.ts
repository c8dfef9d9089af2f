import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { Problem } from '../../platform/http/problems.ts'
import { searchParameter } from '../../platform/http/query/search-parameter.ts'
import {
  EnvelopeOf,
  pageEnvelope,
  pageParameters,
  readPage,
} from '../../platform/http/response/page-envelope.ts'
import { tokenLimits } from '../limits.ts'
import { requireProject } from '../projects/project.sql.ts'
import { issueToken, revokeToken, rotateToken } from './manage-token.ts'
import { readOverlap } from './overlap.ts'
import { IssuedTokenSchema, NewTokenSchema, RotationSchema, TokenSchema } from './token.schema.ts'
import { listTokenPage, tokenStates } from './token.sql.ts'

const Id = Type.Object({ id: Type.Integer() })
export const TokenPageSchema = EnvelopeOf(TokenSchema)
export const TokensQuery = Type.Object({
  ...pageParameters,
  search: searchParameter('the name'),
  state: Type.Optional(OneOf([...tokenStates])),
})

/** Tokens, for the admin area. */
export function tokenRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/projects/:id/tokens',
      { schema: { params: Id, querystring: TokensQuery, response: { 200: TokenPageSchema } } },
      async (request) => {
        const { id } = request.params
        await requireProject(database, id)
        const page = readPage(request.query)
        return pageEnvelope(request, page, await listTokenPage(database, id, request.query, page))
      },
    )

    app.post(
      '/projects/:id/tokens',
      { schema: { params: Id, body: NewTokenSchema, response: { 201: IssuedTokenSchema } } },
      async ({ session, params: { id }, body: { expires_at: expiresAt = null, ...body } }, reply) => {
        rejectPastExpiry(expiresAt)
        reply.code(201)
        return issueToken(database, { name: session.email }, id, { ...body, expiresAt })
      },
    )

    app.post(
      '/tokens/:id/rotate',
      { schema: { params: Id, body: RotationSchema, response: { 200: IssuedTokenSchema } } },
      async ({ session, params: { id }, body: { overlap = '' } }) => {
        const seconds = readOverlap(overlap) ?? tokenLimits.overlapSeconds
        return rotateToken(database, { name: session.email }, id, seconds)
      },
    )

    app.post(
      '/tokens/:id/revoke',
      { schema: { params: Id, response: { 200: TokenSchema } } },
      async ({ session, params: { id } }) => revokeToken(database, { name: session.email }, id),
    )
  }
}

export function rejectPastExpiry(expiresAt: string | null): void {
  if (expiresAt === null || Date.parse(expiresAt) > Date.now()) return
  const error = { pointer: '/expires_at', code: 'too_small', message: 'must be in the future' }
  throw new Problem('invalid_body', { errors: [error] })
}
