import type { Queryable } from '../database/database.ts'
import { addUsage } from './usage.sql.ts'

const flushMilliseconds = 3_000

/** Counts the API's requests of each project in memory and adds them up in the database every few seconds. */
export function countRequests(database: Queryable, onError: (error: unknown) => void) {
  let counts = new Map<number, number>()

  function add(projectId: number, requests: number): void {
    counts.set(projectId, (counts.get(projectId) ?? 0) + requests)
  }

  async function flush(): Promise<void> {
    if (counts.size === 0) return
    const taken = counts
    counts = new Map()
    try {
      await addUsage(database, taken)
    } catch (error) {
      // Not lost: they are added with the next ones.
      for (const [project, requests] of taken) add(project, requests)
      onError(error)
    }
  }

  const timer = setInterval(flush, flushMilliseconds)
  timer.unref()
  return {
    count: (projectId: number) => add(projectId, 1),
    async stop(): Promise<void> {
      clearInterval(timer)
      await flush()
    },
  }
}
