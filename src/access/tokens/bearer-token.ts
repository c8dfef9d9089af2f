import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../platform/http/problems.ts'
import { countHeaders } from '../../platform/http/request/base-url.ts'
import { authorizationHint } from '../../platform/http/request/hints.ts'
import { hashToken, isWellFormedToken } from './token-format.ts'

export const challenge = 'Bearer realm="catalog"'

/**
 * Returns the hash of the token that a request sends. Most clients send one token per connection, so each connection keeps the hash
 * of its last token.
 */
export function bearerHashes(): (request: FastifyRequest) => string {
  const lastOf = new WeakMap<Socket, { authorization: string; hash: string }>()
  return (request) => {
    const { socket, headers } = request.raw
    const { authorization } = headers
    if (countHeaders(request, 'authorization') > 1) {
      throw new Problem('malformed_request', {
        detail: 'The Authorization header is present more than once; send it once.',
      })
    }
    if (authorization === undefined)
      throw new Problem('not_authenticated', { headers: { 'www-authenticate': challenge } })
    const last = lastOf.get(socket)
    if (last?.authorization === authorization) return last.hash
    const hash = hashToken(readBearer(authorization))
    lastOf.set(socket, { authorization, hash })
    return hash
  }
}

function readBearer(authorization: string): string {
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  if (!isWellFormedToken(token)) throw invalidToken(authorizationHint(authorization))
  return token
}

export function invalidToken(hint?: { detail: string }): Problem {
  return new Problem('invalid_token', {
    ...hint,
    headers: { 'www-authenticate': `${challenge}, error="invalid_token"` },
  })
}
