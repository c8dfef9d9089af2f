import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FreshResponses } from '../../model/freshness/fresh-responses.ts'
import { setTag } from '../../platform/http/response/etag.ts'
import { responseLimits } from '../../platform/limits/responses.ts'
import type { SharedParts } from '../../platform/response-store/project-entries.ts'
import { storedBytes } from '../../platform/response-store/stored-bytes.ts'
import { keyOf } from './response-key.ts'

/** Headers that belong to the request, not to its response. */
const ofRequest = new Set([
  'x-request-id',
  'catalog-version',
  'x-content-type-options',
  'traceparent',
  'vary',
  'connection',
  'strict-transport-security',
  'ratelimit',
  'ratelimit-policy',
  'cache-control',
  'access-control-allow-origin',
  'access-control-expose-headers',
])
const hintHeader = 'catalog-hint'

/** Before the response is tagged: offers it to the store. A large response is sent as bytes, which it shares with the store. */
export function storeResponse(stored: FreshResponses, countAsHit: (request: FastifyRequest) => void) {
  const share = createPartSharer()
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error?: null, payload?: unknown) => void,
  ): void => {
    const isOffered = request.mark !== undefined && reply.statusCode === 200 && isStorable(payload)
    done(null, isOffered ? offer({ stored, share, countAsHit }, request, reply, payload) : payload)
  }
}

function isStorable(payload: unknown): payload is string | Buffer {
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
  return isWhole && Buffer.byteLength(payload) <= responseLimits.storedBytes
}

type Storing = {
  stored: FreshResponses
  share: (parts: SharedParts) => SharedParts
  countAsHit: (request: FastifyRequest) => void
}

function offer(
  { stored, share, countAsHit }: Storing,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string | Buffer,
): string | Buffer {
  const { url = '', config } = request.routeOptions
  const follows = config.cached === 'list' ? 'everything' : reply.follows
  const headers = reply.getHeaders()
  if (request.mark === undefined || follows === undefined || !hasOnlyKnownHeaders(headers)) return payload
  let sent = payload
  const create = () => {
    const body = storedBytes(payload)
    const tag = setTag(reply, payload)
    if (Buffer.isBuffer(body)) sent = body
    const hint = headers[hintHeader] as string | undefined
    const contentType = String(headers['content-type'])
    const cacheControl = String(reply.getHeader('cache-control'))
    const shared = share({ route: { url, config }, contentType, cacheControl })
    return { body, tag, hint, compressed: undefined, shared }
  }
  const isAgain = stored.offer(request.mark, { key: keyOf(request), bytes: payload.length, follows, create })
  if (isAgain) countAsHit(request)
  return sent
}

/** Whether this file knows all headers. */
function hasOnlyKnownHeaders(headers: Record<string, unknown>): boolean {
  return Object.keys(headers).every(
    (name) => name === hintHeader || name === 'content-type' || ofRequest.has(name),
  )
}

/** Reuses the parts of an earlier response of the same route. */
function createPartSharer() {
  const known = new Map<string, SharedParts>()
  return (parts: SharedParts): SharedParts => {
    const { route, contentType, cacheControl } = parts
    return known.getOrInsert(`${route.url} ${contentType} ${cacheControl}`, parts)
  }
}
