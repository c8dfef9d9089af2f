import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Writable } from '../database/database.ts'
import { jobLimits } from '../limits/jobs.ts'

/** Short recurring work of this process: it writes data that the process collected, or reads data of other processes. */
export type Timer = {
  name: string
  everySeconds: number
  run: (database: Writable, signal: AbortSignal) => Promise<unknown>
  /** Runs once when the process stops. */
  end?: (database: Writable) => Promise<unknown>
}

/** Runs each timer at the start and then at its interval. Runs of a timer do not overlap, and a failure does not stop it. */
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
        log.warn({ err: error, timer: name }, 'a background timer failed')
        return false
      }
    }
    while (!signal.aborted) {
      const isDone = await succeeds(run(database, signal))
      // A database that is unavailable is not queried, and the log is not filled, many times per second.
      const seconds = isDone ? everySeconds : Math.max(everySeconds, jobLimits.timerFailureSeconds)
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
