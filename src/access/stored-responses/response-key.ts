import type { FastifyRequest } from 'fastify'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'

/** Everything in the request that its response depends on, except the project. Links have sorted parameters too. */
export function keyOf(request: FastifyRequest): string {
  request.storedKey ??= `${baseUrlOf(request)}${sortedUrl(request.url)}`
  return request.storedKey
}

function sortedUrl(url: string): string {
  if (!url.includes('&')) return url
  const start = url.indexOf('?') + 1
  const pairs = url.slice(start).split('&')
  // By name only: the order of equal names is significant.
  const names = new Map(pairs.map((pair) => [pair, pair.split('=', 1)[0] as string]))
  const nameOf = (pair: string) => names.get(pair) as string
  pairs.sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : nameOf(one) > nameOf(other) ? 1 : 0))
  return url.slice(0, start) + pairs.join('&')
}
