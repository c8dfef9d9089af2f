import type { FastifyBaseLogger } from 'fastify'
import type { Database } from './database/database.ts'
import { deleteOldAnswers } from './http/idempotency.sql.ts'
import { applyQualityRules } from './products/apply-quality-rules.ts'

const everyMilliseconds = 10 * 60 * 1000

/** What nobody waits for: at the start and every ten minutes. A failure is logged, and the next round tries again. */
export function startBackground(database: Database, log: FastifyBaseLogger): { stop(): Promise<void> } {
  const stopping = new AbortController()

  async function round(): Promise<void> {
    try {
      await deleteOldAnswers(database)
      await applyQualityRules(database, stopping.signal)
    } catch (error) {
      log.warn({ err: error }, 'background work failed')
    }
  }

  let running = round()
  const timer = setInterval(() => {
    running = running.then(round)
  }, everyMilliseconds)
  timer.unref()

  return {
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await running
    },
  }
}
