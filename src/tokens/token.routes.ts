import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../database/database.ts'
import { Problem } from '../http/problems.ts'
import { requireProject } from '../projects/project.sql.ts'
import { issueToken, revokeToken, rotateToken } from './manage-token.ts'
import { defaultOverlapSeconds, readOverlap } from './overlap.ts'
import { IssuedTokenSchema, NewTokenSchema, RotationSchema, TokenSchema } from './token.schema.ts'
import { listTokens } from './token.sql.ts'

const Id = Type.Object({ id: Type.Integer() })
const TokenListSchema = Type.Object(
  { count: Type.Integer(), next: Type.Null(), previous: Type.Null(), results: Type.Array(TokenSchema) },
  { additionalProperties: false },
)

/** Tokens, on the operator's desk. */
export function tokenRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/projects/:id/tokens',
      { schema: { params: Id, response: { 200: TokenListSchema } } },
      async ({ params: { id } }) => {
        await requireProject(database, id)
        const results = await listTokens(database, id)
        return { count: results.length, next: null, previous: null, results }
      },
    )

    app.post(
      '/projects/:id/tokens',
      { schema: { params: Id, body: NewTokenSchema, response: { 201: IssuedTokenSchema } } },
      async ({ session, params: { id }, body: { expires_at: expiresAt = null, ...body } }, reply) => {
        refusePast(expiresAt)
        reply.code(201)
        return issueToken(database, { name: session.email }, id, { ...body, expiresAt })
      },
    )

    app.post(
      '/tokens/:id/rotate',
      { schema: { params: Id, body: RotationSchema, response: { 200: IssuedTokenSchema } } },
      async ({ session, params: { id }, body: { overlap = '' } }) => {
        const seconds = readOverlap(overlap) ?? defaultOverlapSeconds
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

export function refusePast(expiresAt: string | null): void {
  if (expiresAt === null || Date.parse(expiresAt) > Date.now()) return
  const fault = { pointer: '/expires_at', code: 'too_small', message: 'lies in the past' }
  throw new Problem('invalid_body', { errors: [fault] })
}
