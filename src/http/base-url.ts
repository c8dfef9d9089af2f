import type { FastifyRequest } from 'fastify'
import { Problem } from './problems.ts'

const hostShape = /^(\[[0-9a-f:.]+\]|[0-9a-z._-]+)(:[0-9]{1,5})?$/i

/** `{base_url}` for links: what the operator configured, or else the address that the client used. */
export function baseUrlOf(request: FastifyRequest): string {
  return request.server.baseUrl ?? `${request.protocol}://${request.host}`
}

/** A host that is none would shape every link; refused before it can. */
export function refuseBadHost(request: FastifyRequest): void {
  if (!hostShape.test(request.host))
    throw new Problem('malformed_request', { detail: 'The Host header is missing or malformed.' })
}
