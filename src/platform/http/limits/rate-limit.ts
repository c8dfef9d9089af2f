import type { FastifyReply } from 'fastify'
import { Problem } from '../problems.ts'
import { type Buckets, type Limit, openBuckets, type RateLimitResult, tableBytes } from './token-buckets.ts'

/** Separate tables, so that a client with ever-changing addresses cannot displace projects. */
const tables = ['project', 'address', 'user'] as const

export type RateLimiter = Record<(typeof tables)[number], Buckets>

/** The memory that all workers of a process share. */
export function rateLimitMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(tables.length * tableBytes)
}

export function createRateLimiter(memory: SharedArrayBuffer): RateLimiter {
  const [project, address, user] = tables.map((_, index) => openBuckets(memory, index * tableBytes))
  return { project, address, user } as RateLimiter
}

/** Sends the remaining limit to the client, and rejects the request if it is exhausted. */
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
