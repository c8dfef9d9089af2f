import type { FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'
import { isLoopbackName } from './loopback.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The configured base URL for links; undefined for the one that the client used. */
    baseUrl: string | undefined
  }
}

const hostShape = /^(\[[0-9a-f:.]+\]|[0-9a-z_-]+(\.[0-9a-z_-]+)*\.?)(:([0-9]{1,5}))?$/i

/** The base URL for links: the configured one, or the one that the client used. */
export function baseUrlOf(request: FastifyRequest): string {
  return request.server.baseUrl ?? `${request.protocol}://${request.host}`
}

/** Rejects an invalid or duplicate host and an invalid scheme, which would otherwise appear in links. */
export function rejectBadHost(request: FastifyRequest): void {
  const [, , , , port = '0'] = hostShape.exec(request.host) ?? [undefined, '', '', '', '99999']
  if (Number(port) > 65_535 || countHeaders(request, 'host') > 1) {
    throw new Problem('malformed_request', { detail: 'The Host header is missing, malformed or sent twice.' })
  }
  if (request.protocol !== 'http' && request.protocol !== 'https')
    throw new Problem('malformed_request', { detail: 'X-Forwarded-Proto must be http or https.' })
}

const maxKnown = 100

/** Against DNS rebinding: a foreign page whose name resolves to this machine has its own name as the host. */
export function rejectForeignHosts(): (request: FastifyRequest) => void {
  // Cached, because clients use few names and this check costs more than all other checks of a request.
  const known = new Set<string>()
  return ({ hostname }) => {
    if (known.has(hostname)) return
    if (!isLoopbackName(hostname)) throw new Problem('unknown_host')
    if (known.size < maxKnown) known.add(hostname)
  }
}

/** Node merges headers with the same name; only the raw headers show how many were sent. */
export function countHeaders({ raw: { rawHeaders } }: FastifyRequest, wanted: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === wanted.length && name.toLowerCase() === wanted) count += 1
  }
  return count
}
