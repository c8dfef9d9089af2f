import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FreshResponses, Mark, MissReason } from '../../model/freshness/fresh-responses.ts'
import { boundedMap } from '../../platform/bounded-map.ts'
import { matchesTag } from '../../platform/http/response/etag.ts'
import type { Follows, StoredResponse } from '../../platform/response-store/project-entries.ts'
import { keyOf } from './response-key.ts'
import { ownBytes, storeResponse } from './store-response.ts'
import { watchHits } from './watch-hits.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Responses of the route are stored in memory: as a list, which every change drops, or as a detail, which sets `follows`. */
    cached?: 'list' | 'detail'
  }
  interface FastifyRequest {
    /** The fence before the first read; undefined if it is not known. */
    mark: Mark | undefined
    storedKey: string | undefined
    /** Whether the project skips the store because it rarely hits. */
    skipsStore: boolean
  }
  interface FastifyReply {
    /** Which changes drop the stored response. A detail without it is not stored. */
    follows: Follows | undefined
  }
}

export type StoredResult = 'hit' | 'skipped' | MissReason

export type StoredResponses = ReturnType<typeof storedResponses>

/** The hooks that serve responses from memory. */
export function storedResponses(
  app: FastifyInstance,
  responses: FreshResponses,
  count: (result: StoredResult) => void,
) {
  app.decorateRequest('mark', undefined)
  app.decorateRequest('storedKey', undefined)
  app.decorateRequest('skipsStore', false)
  app.decorateReply('follows', undefined)
  const hits = watchHits()
  const [serve, store] = [serveStored(responses, hits, count), storeResponse(responses)]
  return {
    responses,
    /** Whether the request is read without the store. Call it before anything else. */
    skips(project: number, request: FastifyRequest): boolean {
      request.skipsStore = hits.skips(project, request.routeOptions.config.cached ?? '')
      return request.skipsStore
    },
    readsAhead: readsAhead(responses),
    /** After the checks of a request, and before the response is tagged. */
    addHooks(routes: FastifyInstance): void {
      routes.addHook('onRequest', serve)
      routes.addHook('onSend', store)
    },
  }
}

/**
 * Whether the read of a request may begin before its token is checked. If the response is stored, there is nothing to read. Without a
 * known fence, the response could only be stored with a later one, and be stale.
 */
function readsAhead(stored: FreshResponses) {
  return (project: number, request: FastifyRequest): boolean => {
    if (stored.has(project, keyOf(request))) return false
    request.mark = stored.mark(project)
    return request.mark !== undefined
  }
}

const maxAcceptedEncodings = 100

/** After all checks of a request: sends the stored response, if it is still what the database would return. */
function serveStored(
  stored: FreshResponses,
  hits: ReturnType<typeof watchHits>,
  count: (result: StoredResult) => void,
) {
  const encodings = boundedMap<string, string>(maxAcceptedEncodings)

  function send(request: FastifyRequest, reply: FastifyReply, response: StoredResponse): void {
    const { 'accept-encoding': accepted, 'x-no-compression': isPlain } = request.headers
    const isCompressible = typeof accepted === 'string' && isPlain === undefined
    const encoding = isCompressible ? encodings.get(accepted) : undefined
    const compressed = encoding && response.compressed[encoding]
    if (compressed) {
      reply.header('content-encoding', encoding).send(compressed)
      return
    }
    if (isCompressible)
      reply.onCompressed = (used, bytes) => {
        encodings.set(accepted, used)
        keepCompressed(request, response, used, bytes)
      }
    reply.send(response.body)
  }

  function keepCompressed(
    request: FastifyRequest,
    response: StoredResponse,
    encoding: string,
    bytes: Buffer,
  ): void {
    const { view } = request.caller
    if (view === undefined || response.compressed[encoding] !== undefined) return
    response.compressed[encoding] = ownBytes(bytes)
    stored.grow(view, keyOf(request), response, bytes.length)
  }

  function find(request: FastifyRequest, kind: string): StoredResponse | MissReason {
    const found = stored.find(request.caller.view, keyOf(request))
    const isHit = typeof found !== 'string'
    hits.count(request.caller.project_id, kind, isHit)
    count(isHit ? 'hit' : found)
    return found
  }

  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const { cached } = request.routeOptions.config
    if (cached === undefined || request.skipsStore) {
      if (request.skipsStore) count('skipped')
      done()
      return
    }
    const found = find(request, cached)
    if (typeof found === 'string') {
      request.mark = stored.markFor(request.caller.view, request.mark)
      done()
      return
    }
    for (const name in found.headers) reply.header(name, found.headers[name])
    if (matchesTag(request.headers['if-none-match'], found.tag))
      reply.code(304).removeHeader('content-type').send()
    else send(request, reply, found)
  }
}
