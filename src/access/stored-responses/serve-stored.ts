import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FreshResponses, Mark, MissReason } from '../../model/freshness/fresh-responses.ts'
import { boundedMap } from '../../platform/bounded-map.ts'
import { matchesTag } from '../../platform/http/response/etag.ts'
import type { Follows, StoredResponse } from '../../platform/response-store/project-entries.ts'
import { keyOf } from './response-key.ts'
import { ownBytes, storeResponse } from './store-response.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Responses of the route are stored in memory: as a list, which every change drops, or as a detail, which sets `follows`. */
    cached?: 'list' | 'detail'
  }
  interface FastifyRequest {
    /** The fence before the first read; undefined if it is not known. */
    mark: Mark | undefined
    storedKey: string | undefined
  }
  interface FastifyReply {
    /** Which changes drop the stored response. A detail without it is not stored. */
    follows: Follows | undefined
  }
}

export type StoredResult = 'hit' | MissReason

export type StoredResponses = ReturnType<typeof storedResponses>

/** The hooks that serve responses from memory. */
export function storedResponses(
  app: FastifyInstance,
  responses: FreshResponses,
  count: (result: StoredResult) => void,
) {
  app.decorateRequest('mark', undefined)
  app.decorateRequest('storedKey', undefined)
  app.decorateReply('follows', undefined)
  const [serve, store] = [serveStored(responses, count), storeResponse(responses)]
  return {
    responses,
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
function serveStored(stored: FreshResponses, count: (result: StoredResult) => void) {
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

  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const found = request.routeOptions.config.cached && stored.find(request.caller.view, keyOf(request))
    if (found !== undefined) count(typeof found === 'string' ? found : 'hit')
    if (found === undefined || typeof found === 'string') {
      request.mark = found && stored.markFor(request.caller.view, request.mark)
      done()
      return
    }
    for (const name in found.headers) reply.header(name, found.headers[name])
    if (matchesTag(request.headers['if-none-match'], found.tag))
      reply.code(304).removeHeader('content-type').send()
    else send(request, reply, found)
  }
}
