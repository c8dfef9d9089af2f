import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Writable } from '../database/database.ts'

/** Short work of this process that repeats: it writes what the process gathered in memory, or looks at what others wrote. */
export type Timer = {
  name: string
  everySeconds: number
  run: (database: Writable, signal: AbortSignal) => Promise<unknown>
  /** Done once more when the process ends. */
  end?: (database: Writable) => Promise<unknown>
}

// A database that is away is not asked, and the log is not filled, many times a second.
const leastSecondsAfterFailure = 2

/** Runs each timer at the start and then at its times, one run after the other. After a failure the next run tries again. */
export function startBackground(
  timers: readonly Timer[],
  database: Writable,
  log: FastifyBaseLogger,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping

  async function repeat({ name, everySeconds, run, end }: Timer): Promise<void> {
    const succeeds = async (work: Promise<unknown>): Promise<boolean> => {
      try {
        await work
        return true
      } catch (error) {
        log.warn({ err: error, timer: name }, 'background work failed')
        return false
      }
    }
    while (!signal.aborted) {
      const isDone = await succeeds(run(database, signal))
      const seconds = isDone ? everySeconds : Math.max(everySeconds, leastSecondsAfterFailure)
      await sleep(seconds * 1000, undefined, { signal, ref: false }).catch(() => {})
    }
    if (end !== undefined) await succeeds(end(database))
  }

  const running = Promise.all(timers.map(repeat))
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
