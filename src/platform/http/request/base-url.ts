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

const maxKnown = 100

/**
 * Rejects an invalid or duplicate host and an invalid scheme, which would otherwise appear in links. A private service also rejects
 * names of other machines, against DNS rebinding: a foreign page whose name resolves to this machine has its own name as the host.
 */
export function rejectBadHosts(isPrivate: boolean): (request: FastifyRequest) => void {
  // Cached, because clients use few names and these checks cost more than all other checks of a request.
  const known = new Set<string>()
  return (request) => {
    const { host, protocol } = request
    if (countHeaders(request, 'host') > 1) throw badHost()
    if (!known.has(host)) {
      if (!isHost(host)) throw badHost()
      if (isPrivate && !isLoopbackName(request.hostname)) throw new Problem('unknown_host')
      if (known.size < maxKnown) known.add(host)
    }
    if (protocol !== 'http' && protocol !== 'https')
      throw new Problem('malformed_request', { detail: 'X-Forwarded-Proto must be http or https.' })
  }
}

function isHost(text: string): boolean {
  const [, , , , port = '0'] = hostShape.exec(text) ?? [undefined, '', '', '', '99999']
  return Number(port) <= 65_535
}

function badHost(): Problem {
  return new Problem('malformed_request', { detail: 'The Host header is missing, malformed or sent twice.' })
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
