import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FreshResponses, Mark, MissReason } from '../../model/freshness/fresh-responses.ts'
import { matchesTag } from '../../platform/http/response/etag.ts'
import type { Follows, StoredResponse } from '../../platform/response-store/project-entries.ts'
import { asBuffer, storedBytes } from '../../platform/response-store/stored-bytes.ts'
import { type ResponseForms, responseForms } from './response-forms.ts'
import { keyOf } from './response-key.ts'
import { storeResponse } from './store-response.ts'
import { type ResponseKind, watchHits } from './watch-hits.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Responses of the route are stored in memory: as a list, which every change drops, or as a detail, which sets `follows`. */
    cached?: ResponseKind
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
  const forms = responseForms()

  /** Counts a request that has passed all checks. */
  function countResult(project: number, kind: ResponseKind, result: 'hit' | MissReason): void {
    hits.count(project, kind, result === 'hit')
    count(result)
  }

  function countAsHit({ caller, routeOptions }: FastifyRequest): void {
    hits.countAsHit(caller.project_id, routeOptions.config.cached ?? 'list')
  }

  function find(request: FastifyRequest, kind: ResponseKind): StoredResponse | undefined {
    const { view, project_id } = request.caller
    const found = responses.find(view, keyOf(request))
    if (typeof found !== 'string') {
      countResult(project_id, kind, 'hit')
      return found
    }
    countResult(project_id, kind, found)
    request.mark = responses.markFor(view, request.mark)
    return undefined
  }

  function serve(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const { cached } = request.routeOptions.config
    if (request.skipsStore) count('skipped')
    const found = cached === undefined || request.skipsStore ? undefined : find(request, cached)
    if (found === undefined) {
      done()
      return
    }
    reply.header('etag', found.tag).header('cache-control', found.shared.cacheControl)
    if (found.hint !== undefined) reply.header('catalog-hint', found.hint)
    if (matchesTag(request.headers['if-none-match'], found.tag)) reply.code(304).send()
    else send(request, reply, found, forms, responses)
  }

  return {
    responses,
    forms,
    countResult,
    isSkipping: hits.isSkipping,
    /** Whether the request is read without the store. Call it before anything else. */
    skips(project: number, request: FastifyRequest): boolean {
      request.skipsStore = hits.skips(project, request.routeOptions.config.cached ?? 'list')
      return request.skipsStore
    },
    readsAhead: readsAhead(responses),
    /** After the checks of a request, and before the response is tagged. */
    addHooks(routes: FastifyInstance): void {
      routes.addHook('onRequest', serve)
      routes.addHook('onSend', storeResponse(responses, countAsHit))
    },
  }
}

/**
 * Whether the read of a request may begin before its token is checked. If the response is stored, there is nothing to read. Without a
 * known fence, the response could only be stored with a later one, and be stale.
 */
function readsAhead(stored: FreshResponses) {
  return (project: number, request: FastifyRequest): boolean => {
    if (stored.peek(project, keyOf(request)) !== undefined) return false
    request.mark = stored.mark(project)
    return request.mark !== undefined
  }
}

/** Sends the form that the client accepts. The first client that accepts an encoding waits for the compression. */
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  response: StoredResponse,
  forms: ResponseForms,
  stored: FreshResponses,
): void {
  const form = forms.find(response, request.headers)
  if (form === undefined)
    reply.onCompressed = (encoding, bytes) => {
      forms.learn(String(request.headers['accept-encoding']), encoding)
      const { view } = request.caller
      if (view === undefined || response.compressed?.[encoding] !== undefined) return
      response.compressed = { ...response.compressed, [encoding]: storedBytes(bytes) }
      stored.grow(view, keyOf(request), response, bytes.length)
    }
  if (form?.encoding !== undefined) reply.header('content-encoding', form.encoding)
  reply.header('content-type', response.shared.contentType).send(asBuffer(form?.body ?? response.body))
}
