import type { FastifyReply, FastifyRequest } from 'fastify'
import { enforceRateLimit, takeRequest } from '../../platform/http/limits/rate-limit.ts'
import type { Buckets } from '../../platform/http/limits/token-buckets.ts'
import { accountLimits } from '../limits.ts'

/** The console needs far less. Programs that need more use tokens. */
const limit = {
  requestsPerSecond: accountLimits.requestsPerSecond,
  burst: accountLimits.requestBurst,
}

/** The console can call API routes on any plan, so a session must not become an unlimited API. */
export function limitUserRate(limits: Buckets) {
  return async ({ session }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    enforceRateLimit(
      reply,
      takeRequest(limits, 'user', session.user_id, limit),
      'Too many requests by one user; wait a few seconds, then try again.',
    )
  }
}
