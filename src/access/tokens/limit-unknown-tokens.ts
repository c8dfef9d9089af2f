import { hash } from 'node:crypto'
import { rateLimited } from '../../platform/http/limits/rate-limit.ts'
import type { Buckets } from '../../platform/http/limits/token-buckets.ts'
import { clientNetwork } from '../../platform/http/request/client-network.ts'
import { tokenLimits } from '../limits.ts'

/** The limit per address. Tokens with a wrong checksum are rejected before they are counted, without a database query. */
const limit = { requestsPerSecond: tokenLimits.unknownPerSecond, burst: tokenLimits.unknownBurst }

/** Counts a token, or a media key, that this process does not know to be valid. The returned function undoes the count. */
export function limitUnknownTokens({ take, giveBack }: Buckets, what = 'unknown, expired or revoked tokens') {
  return (address: string): (() => void) => {
    const owner = hash('sha1', clientNetwork(address), 'buffer').readBigInt64LE() || 1n
    const { allowed, retryAfterSeconds } = take(owner, limit)
    if (!allowed)
      throw rateLimited(
        retryAfterSeconds,
        `Too many requests with ${what} came from this address; wait the number of seconds in Retry-After.`,
      )
    return () => giveBack(owner, limit)
  }
}
