import type { FastifyReply, FastifyRequest } from 'fastify'
import { enforceRateLimit, type RateLimiter, takeRequest } from '../../platform/http/limits/rate-limit.ts'
import { accountLimits } from '../limits.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response is a media file. It has its own rate limit, because a page can show a hundred of them. */
    sendsFile?: boolean
  }
}

/** The console needs far less. Programs that need more use tokens. */
const limits = {
  user: { requestsPerSecond: accountLimits.requestsPerSecond, burst: accountLimits.requestBurst },
  download: { requestsPerSecond: accountLimits.downloadsPerSecond, burst: accountLimits.downloadBurst },
}

/** The console can call API routes on any plan, so a session must not become an unlimited API. */
export function limitUserRate(buckets: Pick<RateLimiter, 'user' | 'download'>) {
  return async ({ session, routeOptions }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const which = routeOptions.config.sendsFile === true ? 'download' : 'user'
    enforceRateLimit(
      reply,
      takeRequest(buckets[which], which, session.user_id, limits[which]),
      'Too many requests by one user; wait a few seconds, then try again.',
    )
  }
}
