import { expect } from 'vitest'

export type Header = { required?: boolean; $ref?: string }

/** The headers that clients read. */
const toldHeaders = [
  'etag',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'www-authenticate',
  'link',
  'content-disposition',
  'catalog-cursor',
  'catalog-hint',
  'x-request-id',
]

/** None of them undeclared, none missing. */
export function expectHeaders(what: string, declared: Record<string, Header>, sent: Headers): void {
  const names = Object.keys(declared).map((name) => name.toLowerCase())
  const undeclared = toldHeaders.filter((name) => sent.has(name) && !names.includes(name))
  const missing = Object.keys(declared).filter((name) => declared[name]?.required === true && !sent.has(name))
  expect({ undeclared, missing }, what).toEqual({ undeclared: [], missing: [] })
}
