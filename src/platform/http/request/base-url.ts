import type { FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'
import { isLoopbackName } from './loopback.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Configured address for links; undefined means: the one that the client used. */
    baseUrl: string | undefined
  }
}

const hostShape = /^(\[[0-9a-f:.]+\]|[0-9a-z_-]+(\.[0-9a-z_-]+)*\.?)(:([0-9]{1,5}))?$/i

/** `{base_url}` for links: what the operator configured, or else the address that the client used. */
export function baseUrlOf(request: FastifyRequest): string {
  return request.server.baseUrl ?? `${request.protocol}://${request.host}`
}

/** A host that is none, or one of two, or a scheme that is none would shape every link; refused before it can. */
export function rejectBadHost(request: FastifyRequest): void {
  const [, , , , port = '0'] = hostShape.exec(request.host) ?? [undefined, '', '', '', '99999']
  if (Number(port) > 65_535 || countHeaders(request, 'host') > 1) {
    throw new Problem('malformed_request', { detail: 'The Host header is missing, malformed or sent twice.' })
  }
  if (request.protocol !== 'http' && request.protocol !== 'https')
    throw new Problem('malformed_request', { detail: 'X-Forwarded-Proto must be http or https.' })
}

const mostKnown = 100

/** A page of a stranger whose name was made to point here has that name as its host; it must not pass for one of ours. */
export function rejectForeignHosts(): (request: FastifyRequest) => void {
  // Clients use few names, and to tell one of this machine costs more than the rest of a request's checks.
  const known = new Set<string>()
  return ({ hostname }) => {
    if (known.has(hostname)) return
    if (!isLoopbackName(hostname)) throw new Problem('unknown_host')
    if (known.size < mostKnown) known.add(hostname)
  }
}

/** Node keeps one of several headers with the same name; only the raw ones tell how many were sent. */
export function countHeaders({ raw: { rawHeaders } }: FastifyRequest, wanted: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === wanted.length && name.toLowerCase() === wanted) count += 1
  }
  return count
}
