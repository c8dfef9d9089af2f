import { expect } from 'vitest'

export type Header = { required?: boolean; $ref?: string }

/** The headers that clients read. */
const clientHeaders = [
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
  'catalog-version',
  'x-request-id',
]

/** Expects no undeclared and no missing header. */
export function expectHeaders(what: string, declared: Record<string, Header>, sent: Headers): void {
  const names = Object.keys(declared).map((name) => name.toLowerCase())
  const undeclared = clientHeaders.filter((name) => sent.has(name) && !names.includes(name))
  const missing = Object.keys(declared).filter((name) => declared[name]?.required === true && !sent.has(name))
  // Nearly all responses pass, so that an assertion for each would only take time.
  if (undeclared.length > 0 || missing.length > 0)
    expect({ undeclared, missing }, what).toEqual({ undeclared: [], missing: [] })
}
