import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { forgetResponse } from '../../platform/http/client-error.ts'
import type { LimitedRequest } from '../../platform/http/limits/rate-limit.ts'
import type { CountRequest } from '../../platform/http/metrics/metrics.ts'
import type { Site } from '../../platform/http/request/base-url.ts'
import { logAborted, logCompleted, requestLogger } from '../../platform/http/request-lines.ts'
import { requestId } from '../../platform/http/request-log.ts'
import { responseLimits } from '../../platform/limits/responses.ts'
import type { StoredResponse } from '../../platform/response-store/project-entries.ts'
import { version } from '../../platform/version.ts'
import type { Form } from './response-forms.ts'

type Sent = {
  found: StoredResponse
  /** Undefined if the client already has the response. */
  form: Form | undefined
  site: Site
  limited: LimitedRequest | undefined
  started: number
}

/** Writes a stored response, and afterwards its log line and counts. */
export function responseWriter(app: FastifyInstance, countRequest: CountRequest) {
  // Lists, because the engine is slow with objects whose property names differ.
  const siteHeaders = new WeakMap<Site, string[]>()
  const listSiteHeaders = ({ headers }: Site): string[] =>
    listOf({ 'catalog-version': version, ...app.commonHeaders, ...headers })

  function headOf(id: string, { found, form, site, limited }: Sent): string[] {
    const ofSite = siteHeaders.getOrInsertComputed(site, listSiteHeaders)
    const { tag, hint, shared } = found
    const head = ['x-request-id', id, ...ofSite, 'etag', tag, 'cache-control', shared.cacheControl]
    if (hint !== undefined) head.push('catalog-hint', hint)
    if (limited !== undefined) head.push(...listOf(limited.headers))
    if (form !== undefined)
      head.push('content-type', shared.contentType, 'content-length', String(form.body.length))
    if (form?.encoding !== undefined) head.push('content-encoding', form.encoding)
    return head
  }

  /** When the response was sent, or its client has disconnected. */
  function finish(response: ServerResponse, id: string, { found, started }: Sent): void {
    const { req: raw, statusCode } = response
    forgetResponse(response)
    const { method = '', url = '' } = raw
    const log = requestLogger(app.log, { reqId: id })
    const request = { method, url, ip: app.addressOf(raw) }
    if (!response.writableFinished) {
      logAborted(log, request)
      return
    }
    const milliseconds = performance.now() - started
    countRequest(method, found.shared.route.url, statusCode, milliseconds)
    logCompleted(log, request, statusCode, milliseconds)
  }

  return {
    /** A larger response counts toward the memory of its project, and needs a time limit. */
    isSmall: ({ body }: Form): boolean => body.length <= responseLimits.smallBytes,
    send(response: ServerResponse, sent: Sent): void {
      const id = requestId(response.req)
      if (response.destroyed) {
        finish(response, id, sent)
        return
      }
      response.on('close', () => finish(response, id, sent))
      response.writeHead(sent.form === undefined ? 304 : 200, headOf(id, sent))
      response.end(sent.form?.body, 'latin1')
    },
  }
}

function listOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flat()
}
