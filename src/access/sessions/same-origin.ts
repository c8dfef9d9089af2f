import type { FastifyRequest } from 'fastify'
import { Problem } from '../../platform/http/problems.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'

/**
 * A write that carries a cookie must come from our own pages. Browsers say where a request comes from in Sec-Fetch-Site,
 * older ones in Origin, and a page can forge neither; a program that sends neither carries no one else's cookie.
 */
export async function refuseForeignPages(request: FastifyRequest): Promise<void> {
  const { method, headers } = request
  if (method === 'GET' || method === 'HEAD') return
  const site = headers['sec-fetch-site']
  const { origin } = headers
  const own = [baseUrlOf(request), `${request.protocol}://${request.host}`]
  const foreign =
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (origin !== undefined && !own.includes(origin))
  if (foreign) throw new Problem('foreign_origin')
}
