import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { boundedMap } from '../../bounded-map.ts'
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

/** How a client reaches the service. Requests with the same Host and X-Forwarded headers share it. */
export type Site = {
  baseUrl: string
  /** Headers of all its responses, if there are any. */
  headers: Readonly<Record<string, string>> | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    sites: ReturnType<typeof openSites>
  }
}

const maxKnown = 100

type SiteRules = {
  /** Rejects names of other machines. */
  isPrivate: boolean
  behindProxy: boolean
  headersOf: (request: FastifyRequest) => Site['headers']
}

/**
 * Rejects an invalid or duplicate host and an invalid scheme, which would otherwise appear in links. A private service also rejects
 * names of other machines, against DNS rebinding: a foreign page whose name resolves to this machine has its own name as the host.
 */
export function openSites({ isPrivate, behindProxy, headersOf }: SiteRules) {
  // Cached, because clients use few names and these checks cost more than all other checks of a request.
  const known = boundedMap<string, Site>(maxKnown)

  function nameOf({ headers }: IncomingMessage): string {
    const { host = '', 'x-forwarded-host': forwarded = '', 'x-forwarded-proto': scheme = '' } = headers
    return behindProxy ? `${host}\n${forwarded}\n${scheme}` : host
  }

  function check(request: FastifyRequest): Site {
    const { host, protocol } = request
    if (!isHost(host)) throw badHost()
    if (isPrivate && !isLoopbackName(request.hostname)) throw new Problem('unknown_host')
    if (protocol !== 'http' && protocol !== 'https')
      throw new Problem('malformed_request', { detail: 'X-Forwarded-Proto must be http or https.' })
    const site = { baseUrl: baseUrlOf(request), headers: headersOf(request) }
    known.set(nameOf(request.raw), site)
    return site
  }

  return {
    /** Undefined if no request has passed the checks yet. */
    find: (raw: IncomingMessage): Site | undefined =>
      countHeaders(raw, 'host') > 1 ? undefined : known.get(nameOf(raw)),
    require(request: FastifyRequest): Site {
      if (countHeaders(request.raw, 'host') > 1) throw badHost()
      return known.get(nameOf(request.raw)) ?? check(request)
    },
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
export function countHeaders({ rawHeaders }: IncomingMessage, wanted: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === wanted.length && name.toLowerCase() === wanted) count += 1
  }
  return count
}
