import type { FastifyReply, FastifyRequest } from 'fastify'
import { enforceRateLimit } from '../../platform/http/limits/rate-limit.ts'
import type { Buckets } from '../../platform/http/limits/token-buckets.ts'
import { accountLimits } from '../limits.ts'

/** The console needs far less. Programs that need more use tokens. */
const limit = {
  requestsPerSecond: accountLimits.requestsPerSecond,
  burst: accountLimits.requestBurst,
}

/** The console can call API routes on any plan, so a session must not become an unlimited API. */
export function limitUserRate({ take }: Buckets) {
  return async ({ session }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const result = take(BigInt(session.user_id), limit)
    enforceRateLimit(
      reply,
      'user',
      limit,
      result,
      'Too many requests by one user; wait a few seconds, then try again.',
    )
  }
}
