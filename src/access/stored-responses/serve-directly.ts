import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { CountRequest } from '../../platform/http/metrics/metrics.ts'
import type { Site } from '../../platform/http/request/base-url.ts'
import { matchesTag } from '../../platform/http/response/etag.ts'
import type { StoredResponse } from '../../platform/response-store/project-entries.ts'
import type { FindCredentials } from '../tokens/authenticate.ts'
import type { Credentials } from '../tokens/token.sql.ts'
import { isAllowed, type TokenChecks } from '../tokens/token-checks.ts'
import { keyOfUrl } from './response-key.ts'
import type { StoredResponses } from './serve-stored.ts'
import type { ResponseKind } from './watch-hits.ts'
import { responseWriter } from './write-response.ts'

type Parts = {
  stored: StoredResponses
  tokens: TokenChecks
  findFenced: FindCredentials
  countRequest: CountRequest
}

/** A request whose response is in memory. */
type Recognized = { site: Site; hash: string; key: string; started: number }

/**
 * Sends a stored response before the request is routed, because the objects and hooks of the framework take longer than all
 * checks. It passes on requests that are unusual, that a check rejects, or whose response has changed. The routes then use the
 * credentials that were read here.
 */
export function serveDirectly(
  app: FastifyInstance,
  { stored, tokens, findFenced, countRequest }: Parts,
): (raw: IncomingMessage, response: ServerResponse) => boolean {
  const { responses, forms } = stored
  const { hashes, projects, earlier } = tokens
  const write = responseWriter(app, countRequest)

  function recognize(raw: IncomingMessage): Recognized | undefined {
    if (app.leaving !== undefined || !isUsual(raw)) return undefined
    const site = app.sites.find(raw)
    const hash = site && hashes.find(raw)
    const project = hash && projects.idOf(hash)
    if (!project) return undefined
    const key = keyOfUrl(site.baseUrl, raw.url as string)
    const found = responses.peek(project, key)
    if (found === undefined || stored.isSkipping(project, kindOf(found))) return undefined
    return { site, hash, key, started: performance.now() }
  }

  /** Returns false if nothing was sent or counted. */
  function serve(
    response: ServerResponse,
    { site, key, started }: Recognized,
    caller: Credentials | undefined,
  ): boolean {
    const { req: raw } = response
    const found = caller === undefined ? 'unknown' : responses.find(caller.view, key)
    if (typeof found === 'string' || !isAllowed(caller, found.shared.route.config.scope)) return false
    const form = forms.find(found, raw.headers)
    if (form === undefined || !write.isSmall(form)) return false
    const limited = tokens.takeRequest(caller)
    if (limited?.allowed === false) return false
    tokens.accept(caller, limited)
    stored.countResult(caller.project_id, kindOf(found), 'hit')
    const isKnown = matchesTag(raw.headers['if-none-match'], found.tag)
    write.send(response, { found, form: isKnown ? undefined : form, site, limited, started })
    return true
  }

  return (raw, response) => {
    const recognized = recognize(raw)
    if (recognized === undefined) return false
    const read = findFenced(recognized.hash)
    const passOn = () => {
      earlier.set(raw, read)
      app.routing(raw, response)
    }
    read.then((caller) => {
      if (!serve(response, recognized, caller)) passOn()
    }, passOn)
    return true
  }
}

function kindOf({ shared }: StoredResponse): ResponseKind {
  return shared.route.config.cached ?? 'list'
}

/** Headers that only the routes handle. */
const unusual = ['expect', 'content-length', 'transfer-encoding', 'traceparent', 'origin'] as const

function isUsual({ method, httpVersion, url, headers }: IncomingMessage): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || httpVersion !== '1.1' || url?.startsWith('/') !== true)
    return false
  for (const name of unusual) if (headers[name] !== undefined) return false
  return true
}
