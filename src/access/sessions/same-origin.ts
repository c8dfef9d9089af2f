import type { FastifyRequest } from 'fastify'
import { Problem } from '../../platform/http/problems.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'

/**
 * Protects against cross-site requests. Browsers send the origin in Sec-Fetch-Site, older ones in Origin, and pages cannot forge either.
 * A client that sends neither is not a browser, so it cannot have another user's cookie.
 */
export async function rejectForeignOrigin(request: FastifyRequest): Promise<void> {
  const { method, headers } = request
  if (method === 'GET' || method === 'HEAD') return
  const site = headers['sec-fetch-site']
  const { origin } = headers
  const own = [baseUrlOf(request), `${request.protocol}://${request.host}`]
  const isForeign =
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (origin !== undefined && !own.includes(origin))
  if (isForeign) throw new Problem('foreign_origin')
}
