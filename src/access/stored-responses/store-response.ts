import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FreshResponses } from '../../model/freshness/fresh-responses.ts'
import { setTag } from '../../platform/http/response/etag.ts'
import { responseLimits } from '../../platform/limits/responses.ts'
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
const ofResponse = new Set(['catalog-hint'])

/** Before the response is tagged: offers it to the store. A large response is sent as bytes, which it shares with the store. */
export function storeResponse(stored: FreshResponses) {
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error?: null, payload?: unknown) => void,
  ): void => {
    const isOffered = request.mark !== undefined && reply.statusCode === 200 && isStorable(payload)
    done(null, isOffered ? offer(stored, request, reply, payload) : payload)
  }
}

function isStorable(payload: unknown): payload is string | Buffer {
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
  return isWhole && Buffer.byteLength(payload) <= responseLimits.storedBytes
}

function offer(
  stored: FreshResponses,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string | Buffer,
): string | Buffer {
  const { url = '', config } = request.routeOptions
  const follows = config.cached === 'list' ? 'everything' : reply.follows
  const headers = storedHeaders(reply)
  if (request.mark === undefined || follows === undefined || headers === undefined) return payload
  let sent = payload
  const create = () => {
    const body = storedBytes(payload)
    const tag = setTag(reply, payload)
    if (Buffer.isBuffer(body)) sent = body
    return {
      ...{ body, tag, compressed: {}, route: { url, config } },
      contentType: String(reply.getHeader('content-type')),
      headers: [...headers, 'etag', tag, 'cache-control', String(reply.getHeader('cache-control'))],
    }
  }
  stored.offer(request.mark, { key: keyOf(request), bytes: payload.length, follows, create })
  return sent
}

/** Undefined if there is a header that this file does not know. */
function storedHeaders(reply: FastifyReply): string[] | undefined {
  const headers: string[] = []
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (ofResponse.has(name)) headers.push(name, String(value))
    else if (name !== 'content-type' && !ofRequest.has(name)) return undefined
  }
  return headers
}
