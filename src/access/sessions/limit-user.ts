import type { FastifyReply, FastifyRequest } from 'fastify'
import { enforceRateLimit } from '../../platform/http/limits/rate-limit.ts'
import type { Buckets } from '../../platform/http/limits/token-buckets.ts'
import { accountLimits } from '../limits.ts'

/** The pages call far less; a program would want far more, and has tokens for that. */
const limit = {
  requestsPerSecond: accountLimits.requestsPerSecond,
  burst: accountLimits.requestBurst,
}

/** The console uses the API's routes whatever the plan; a session must not become an API without a limit. */
export function limitUser({ take }: Buckets) {
  return async ({ session }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const verdict = take(BigInt(session.user_id), limit)
    enforceRateLimit(
      reply,
      'user',
      limit,
      verdict,
      'Too many requests by one user; wait a few seconds, then try again.',
    )
  }
}
