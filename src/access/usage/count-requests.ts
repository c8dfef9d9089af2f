import type { Queryable } from '../../platform/database/database.ts'
import { failureOf } from '../../platform/database/failures.ts'
import { addUsage } from './usage.sql.ts'

export type Usage = ReturnType<typeof countRequests>

/** Counts the API's requests of each project in memory. A flush adds the counts up in the database. */
export function countRequests() {
  let counts = new Map<number, number>()

  function add(projectId: number, requests: number): void {
    counts.set(projectId, (counts.get(projectId) ?? 0) + requests)
  }

  return {
    count: (projectId: number) => add(projectId, 1),
    async flush(database: Queryable): Promise<void> {
      if (counts.size === 0) return
      const taken = counts
      counts = new Map()
      try {
        await addUsage(database, taken)
      } catch (error) {
        // The next flush adds these counts, unless they may be added already.
        if (failureOf(error) !== 'outcome_unknown')
          for (const [project, requests] of taken) add(project, requests)
        throw error
      }
    },
  }
}
