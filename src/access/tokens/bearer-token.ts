import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../../platform/http/problems.ts'
import { countHeaders } from '../../platform/http/request/base-url.ts'
import { authorizationHint } from '../../platform/http/request/hints.ts'
import { hashToken, isWellFormedToken } from './token-format.ts'

export const challenge = 'Bearer realm="catalog"'

/**
 * The hash of the token that a request sends. Most clients send one token per connection, so each connection keeps the hash of its
 * last token.
 */
export function bearerHashes() {
  const lastOf = new WeakMap<Socket, { authorization: string; hash: string }>()

  /** Undefined if the request has no token, a malformed one, or several. */
  function find(raw: IncomingMessage): string | undefined {
    const { socket, headers } = raw
    const { authorization } = headers
    if (authorization === undefined || countHeaders(raw, 'authorization') > 1) return undefined
    const last = lastOf.get(socket)
    if (last?.authorization === authorization) return last.hash
    const token = tokenIn(authorization)
    if (token === undefined) return undefined
    const hash = hashToken(token)
    lastOf.set(socket, { authorization, hash })
    return hash
  }

  return {
    find,
    require(raw: IncomingMessage): string {
      const hash = find(raw)
      if (hash === undefined) throw withoutToken(raw)
      return hash
    },
  }
}

function withoutToken(raw: IncomingMessage): Problem {
  const { authorization } = raw.headers
  if (authorization === undefined)
    return new Problem('not_authenticated', { headers: { 'www-authenticate': challenge } })
  if (countHeaders(raw, 'authorization') === 1) return invalidToken(authorizationHint(authorization))
  return new Problem('malformed_request', {
    detail: 'The Authorization header is present more than once; send it once.',
  })
}

function tokenIn(authorization: string): string | undefined {
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  return isWellFormedToken(token) ? token : undefined
}

export function invalidToken(hint?: { detail: string }): Problem {
  return new Problem('invalid_token', {
    ...hint,
    headers: { 'www-authenticate': `${challenge}, error="invalid_token"` },
  })
}
