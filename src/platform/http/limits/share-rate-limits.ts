import { randomUUID } from 'node:crypto'
import type { Queryable } from '../../database/database.ts'
import { failureOf } from '../../database/failures.ts'
import { requestLimits } from '../../limits/requests.ts'
import { addUsedSeconds, countOtherProcesses, removeProcess } from './shared-rate-limits.sql.ts'
import type { Buckets } from './token-buckets.ts'

/**
 * Services on one database share one limit per project. Each decides from memory, so that no request waits. Shortly after,
 * it writes what it allowed to the database and reads what the others allowed. Requests that several processes allowed at the
 * same time are deducted later. A process that is alone writes nothing.
 */
export function shareRateLimits(buckets: Buckets) {
  const id = randomUUID()
  let announcedAt: number | undefined
  let others = 0

  async function announce(database: Queryable): Promise<void> {
    if (
      announcedAt !== undefined &&
      performance.now() < announcedAt + requestLimits.rateLimitPresenceMilliseconds
    )
      return
    others = await countOtherProcesses(database, id)
    announcedAt = performance.now()
    buckets.remember(others > 0)
  }

  async function share(database: Queryable): Promise<void> {
    const taken = buckets.unshared()
    if (taken.length === 0) return
    try {
      for (const { project_id, seconds } of await addUsedSeconds(database, taken))
        buckets.catchUp(project_id, seconds)
    } catch (error) {
      if (failureOf(error) !== 'outcome_unknown') buckets.shareAgain(taken)
      throw error
    }
  }

  return {
    async exchange(database: Queryable): Promise<void> {
      try {
        await announce(database)
        if (others > 0) await share(database)
      } catch (error) {
        announcedAt = undefined
        throw error
      }
    },
    /** Does not wait for an unavailable database; the others detect the absence. */
    async leave(database: Queryable): Promise<void> {
      if (announcedAt !== undefined) await removeProcess(database, id)
    },
  }
}
