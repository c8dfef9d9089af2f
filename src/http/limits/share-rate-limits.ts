import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../../database/database.ts'
import { addTaken, countOtherProcesses, removeProcess } from './shared-rate-limits.sql.ts'
import type { Buckets } from './token-buckets.ts'

const announceMilliseconds = 2_000
const tellMilliseconds = 125

/**
 * Services on one database keep one limit for each project. Each decides by its own memory, tells the database afterwards what
 * it let through, and hears what the others did: no request waits. What all let through in the same eighth of a second is owed
 * until the bucket has made up for it. A process that is alone tells nothing.
 */
export function shareRateLimits(database: Queryable, buckets: Buckets, onError: (error: unknown) => void) {
  const id = randomUUID()
  const stopping = new AbortController()
  const { signal } = stopping
  let isAnnounced = false
  const running = run()

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let others = 0
      try {
        others = await countOtherProcesses(database, id)
        isAnnounced = true
        buckets.remember(others > 0)
        if (others > 0) await tellForAWhile()
      } catch (error) {
        isAnnounced = false
        others = 0
        onError(error)
      }
      if (others === 0) await pause(announceMilliseconds)
    }
  }

  async function tellForAWhile(): Promise<void> {
    const until = performance.now() + announceMilliseconds
    while (performance.now() < until && !signal.aborted) {
      await tell()
      await pause(tellMilliseconds)
    }
  }

  async function tell(): Promise<void> {
    const taken = buckets.untold()
    if (taken.length === 0) return
    try {
      for (const { project_id, seconds } of await addTaken(database, taken))
        buckets.catchUp(project_id, seconds)
    } catch (error) {
      buckets.tellAgain(taken)
      throw error
    }
  }

  function pause(milliseconds: number): Promise<void> {
    return sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {})
  }

  return {
    async stop(): Promise<void> {
      stopping.abort()
      await running
      // Nobody waits for a database that is away; the others find out by themselves.
      if (isAnnounced) await removeProcess(database, id).catch(onError)
    },
  }
}
