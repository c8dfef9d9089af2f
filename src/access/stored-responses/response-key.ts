import type { FastifyRequest } from 'fastify'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'

/** Everything in the request that its response depends on, except the project. Links have sorted parameters too. */
export function keyOf(request: FastifyRequest): string {
  request.storedKey ??= keyOfUrl(baseUrlOf(request), request.url)
  return request.storedKey
}

export function keyOfUrl(baseUrl: string, url: string): string {
  return `${baseUrl}${sortedUrl(url)}`
}

/** A name in brackets or with encoded characters, such as `facets[1]`. */
const specialName = /(?:^|&)[^=&]*[[%]/

function sortedUrl(url: string): string {
  const start = url.indexOf('?') + 1
  const query = url.slice(start)
  if (start === 0 || !query.includes('&')) return url
  // Different special names can mean the same list, whose order is significant.
  if (!query.includes('&') || specialName.test(query)) return url
  const names = new Map(query.split('&').map((pair) => [pair, pair.split('=', 1)[0] as string]))
  const nameOf = (pair: string) => names.get(pair) as string
  // By name only: the order of equal names is significant.
  const pairs = query
    .split('&')
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : nameOf(one) > nameOf(other) ? 1 : 0))
  return url.slice(0, start) + pairs.join('&')
}
