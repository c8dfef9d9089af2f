import { hash } from 'node:crypto'
import { rateLimited } from '../http/limits/rate-limit.ts'
import type { Buckets } from '../http/limits/token-buckets.ts'
import { networkOf } from '../http/request/network-of.ts'

/** Of one address, before the database is asked. Tokens without a right checksum never get here, and cost no more than a 404. */
const limit = { requestsPerSecond: 50, burst: 500 }

/** Counts a token that nobody here has seen to be valid. What is returned takes it back, once it proved to be. */
export function limitUnknownTokens({ take, giveBack }: Buckets) {
  return (address: string): (() => void) => {
    const owner = hash('sha1', networkOf(address), 'buffer').readBigInt64LE() || 1n
    const { allowed, retryAfterSeconds } = take(owner, limit)
    if (!allowed)
      throw rateLimited(
        retryAfterSeconds,
        'Too many tokens that are unknown, expired or revoked came from this address; wait for the seconds in Retry-After.',
      )
    return () => giveBack(owner, limit)
  }
}
