import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Database, Writable } from './database/database.ts'
import { deleteOldAnswers } from './http/request/idempotency.sql.ts'
import { applyQualityRules } from './products/apply-quality-rules.ts'
import { mergeProductCounts } from './products/product-counts.sql.ts'
import { deleteExpired } from './sessions/session.sql.ts'

type Job = { everySeconds: number; run: (database: Writable, signal: AbortSignal) => Promise<unknown> }

/** What nobody waits for. */
const jobs: Job[] = [
  { everySeconds: 5, run: mergeProductCounts },
  { everySeconds: 600, run: deleteOldAnswers },
  { everySeconds: 600, run: deleteExpired },
  { everySeconds: 600, run: applyQualityRules },
]

/** Each job at the start and then at its times, one run after the other. A failure is logged, and the next run tries again. */
export function startBackground(database: Database, log: FastifyBaseLogger): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping

  async function repeat({ everySeconds, run }: Job): Promise<void> {
    while (!signal.aborted) {
      try {
        await run(database.background, signal)
      } catch (error) {
        log.warn({ err: error }, 'background work failed')
      }
      await sleep(everySeconds * 1000, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  const running = Promise.all(jobs.map(repeat))
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
