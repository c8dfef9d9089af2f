import { randomUUID } from 'node:crypto'
import type { Queryable } from '../../database/database.ts'
import { failureOf } from '../../database/failures.ts'
import { addUsedTokens, countOtherProcesses, removeProcess } from './shared-rate-limits.sql.ts'
import type { Buckets } from './token-buckets.ts'

const announceMilliseconds = 2_000

/**
 * Services on one database keep one limit for each project. Each decides by its own memory, tells the database a moment later
 * what it let through, and hears what the others did: no request waits. What all let through in the same moment is owed
 * until the bucket has made up for it. A process that is alone tells nothing.
 */
export function shareRateLimits(buckets: Buckets) {
  const id = randomUUID()
  let announcedAt: number | undefined
  let others = 0

  async function announce(database: Queryable): Promise<void> {
    if (announcedAt !== undefined && performance.now() < announcedAt + announceMilliseconds) return
    others = await countOtherProcesses(database, id)
    announcedAt = performance.now()
    buckets.remember(others > 0)
  }

  async function tell(database: Queryable): Promise<void> {
    const taken = buckets.untold()
    if (taken.length === 0) return
    try {
      for (const { project_id, seconds } of await addUsedTokens(database, taken))
        buckets.catchUp(project_id, seconds)
    } catch (error) {
      if (failureOf(error) !== 'outcome_unknown') buckets.tellAgain(taken)
      throw error
    }
  }

  return {
    async exchange(database: Queryable): Promise<void> {
      try {
        await announce(database)
        if (others > 0) await tell(database)
      } catch (error) {
        announcedAt = undefined
        throw error
      }
    },
    /** Nobody waits for a database that is away; the others find out by themselves. */
    async leave(database: Queryable): Promise<void> {
      if (announcedAt !== undefined) await removeProcess(database, id)
    },
  }
}
