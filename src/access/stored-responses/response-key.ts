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
  // Different special names can mean the same list, whose order is significant.
  if (start === 0 || !query.includes('&') || specialName.test(query)) return url
  return url.slice(0, start) + query.split('&').sort(compareNames).join('&')
}

/** By name only: the order of equal names is significant. */
function compareNames(one: string, other: string): number {
  const [name, otherName] = [nameOf(one), nameOf(other)]
  if (name === otherName) return 0
  return name < otherName ? -1 : 1
}

function nameOf(pair: string): string {
  const end = pair.indexOf('=')
  return end === -1 ? pair : pair.slice(0, end)
}
