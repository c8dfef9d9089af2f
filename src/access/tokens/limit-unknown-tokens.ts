import { hash } from 'node:crypto'
import { rateLimited } from '../../platform/http/limits/rate-limit.ts'
import type { Buckets } from '../../platform/http/limits/token-buckets.ts'
import { clientNetwork } from '../../platform/http/request/client-network.ts'
import { tokenLimits } from '../limits.ts'

/** The limit of one address. A token with a wrong checksum is refused before it is counted, without a question to the database. */
const limit = { requestsPerSecond: tokenLimits.unknownPerSecond, burst: tokenLimits.unknownBurst }

/** Counts a token that this process has not seen to be valid. The function that is returned undoes the count of a token that is. */
export function limitUnknownTokens({ take, giveBack }: Buckets) {
  return (address: string): (() => void) => {
    const owner = hash('sha1', clientNetwork(address), 'buffer').readBigInt64LE() || 1n
    const { allowed, retryAfterSeconds } = take(owner, limit)
    if (!allowed)
      throw rateLimited(
        retryAfterSeconds,
        'Too many requests with unknown, expired or revoked tokens came from this address; wait the number of seconds in Retry-After.',
      )
    return () => giveBack(owner, limit)
  }
}
