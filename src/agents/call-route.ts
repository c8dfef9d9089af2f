import { randomUUID } from 'node:crypto'
import type { FastifyRequest, LightMyRequestResponse } from 'fastify'
import type { Credentials } from '../access/tokens/token.sql.ts'
import { passHeader, type TokenChecks } from '../access/tokens/token-checks.ts'
import type { Server } from '../platform/http/server.ts'

type Sent = { query?: URLSearchParams; body?: unknown }

/** Calls a route of the API as the token, and returns the body of its response. */
export type CallRoute = (method: 'GET' | 'POST', path: string, sent?: Sent) => Promise<Body>

// biome-ignore lint/suspicious/noExplicitAny: the routes and their tests define the shapes.
type Body = any

/** A route rejected the call of a tool. */
export class RejectedCall extends Error {
  readonly response: LightMyRequestResponse

  constructor(response: LightMyRequestResponse) {
    super('a route rejected the call of a tool')
    this.response = response
  }
}

type Parts = {
  app: Server
  tokens: TokenChecks
  caller: Credentials
  /** The request of the client, whose ID and address the log lines of its calls show. */
  request: Pick<FastifyRequest, 'id' | 'ip' | 'host'>
  signal: AbortSignal
}

/**
 * Tools send requests to the routes of the API inside the process, so that every check of a route applies to them. The endpoint has
 * already checked the token and counted the request, which is why the routes accept the caller by a pass that is valid once.
 */
export function callRoutes({ app, tokens, caller, request, signal }: Parts): CallRoute {
  return async (method, path, { query, body } = {}) => {
    const pass = tokens.passes.add(randomUUID(), caller)
    try {
      const response = await app.inject({
        method,
        url: `/v2${path}${query === undefined || query.size === 0 ? '' : `?${query}`}`,
        remoteAddress: request.ip,
        headers: {
          host: request.host,
          'x-request-id': request.id,
          [passHeader]: pass,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
        signal,
      })
      if (response.statusCode >= 400) throw new RejectedCall(response)
      return response.json()
    } finally {
      tokens.passes.drop(pass)
    }
  }
}
