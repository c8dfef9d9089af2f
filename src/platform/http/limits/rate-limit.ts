import type { FastifyReply } from 'fastify'
import { Problem } from '../problems.ts'
import { type Buckets, type Limit, openBuckets, type RateLimitResult, tableBytes } from './token-buckets.ts'

/** A table each: whoever calls from ever new addresses cannot take the place of a project. */
const tables = ['project', 'address', 'user'] as const

export type RateLimiter = Record<(typeof tables)[number], Buckets>

/** The memory that all workers of a process draw from. */
export function rateLimitMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(tables.length * tableBytes)
}

export function createRateLimiter(memory: SharedArrayBuffer): RateLimiter {
  const [project, address, user] = tables.map((_, index) => openBuckets(memory, index * tableBytes))
  return { project, address, user } as RateLimiter
}

/** Tells the client what is left for it, and refuses when that is nothing. */
export function enforceRateLimit(
  reply: FastifyReply,
  whose: 'project' | 'user',
  { requestsPerSecond, burst }: Limit,
  { allowed, remaining, resetSeconds, retryAfterSeconds }: RateLimitResult,
  detail?: string,
): void {
  reply.headers({
    'ratelimit-policy': `"${whose}";q=${burst};w=${Math.ceil(burst / requestsPerSecond)}`,
    ratelimit: `"${whose}";r=${remaining};t=${resetSeconds}`,
  })
  if (!allowed) throw rateLimited(retryAfterSeconds, detail)
}

export function rateLimited(retryAfterSeconds: number, detail?: string): Problem {
  const headers = { 'retry-after': String(retryAfterSeconds) }
  return new Problem('rate_limited', { headers, ...(detail !== undefined && { detail }) })
}
