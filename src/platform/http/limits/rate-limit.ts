import type { FastifyReply } from 'fastify'
import { Problem } from '../problems.ts'
import { type Buckets, type Limit, openBuckets, type RateLimitResult, tableBytes } from './token-buckets.ts'

/** Separate tables, so that a client with ever-changing addresses cannot displace projects. */
const tables = ['project', 'address', 'user', 'download'] as const

export type RateLimiter = Record<(typeof tables)[number], Buckets>

/** The memory that all workers of a process share. */
export function rateLimitMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(tables.length * tableBytes)
}

export function createRateLimiter(memory: SharedArrayBuffer): RateLimiter {
  const [project, address, user, download] = tables.map((_, index) => openBuckets(memory, index * tableBytes))
  return { project, address, user, download } as RateLimiter
}

/** A request that was taken from a limit, and the headers that report what is left. */
export type LimitedRequest = RateLimitResult & { headers: Record<'ratelimit-policy' | 'ratelimit', string> }

export function takeRequest(
  { take }: Buckets,
  whose: 'project' | 'user' | 'download',
  id: number,
  limit: Limit,
): LimitedRequest {
  const { requestsPerSecond, burst } = limit
  const result = take(BigInt(id), limit)
  return {
    ...result,
    headers: {
      'ratelimit-policy': `"${whose}";q=${burst};w=${Math.ceil(burst / requestsPerSecond)}`,
      ratelimit: `"${whose}";r=${result.remaining};t=${result.resetSeconds}`,
    },
  }
}

/** Sends the remaining limit to the client, and rejects the request if it is exhausted. */
export function enforceRateLimit(
  reply: FastifyReply,
  { headers, allowed, retryAfterSeconds }: LimitedRequest,
  detail?: string,
): void {
  reply.headers(headers)
  if (!allowed) throw rateLimited(retryAfterSeconds, detail)
}

export function rateLimited(retryAfterSeconds: number, detail?: string): Problem {
  const headers = { 'retry-after': String(retryAfterSeconds) }
  return new Problem('rate_limited', { headers, ...(detail !== undefined && { detail }) })
}
