import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { numberEvents } from '../src/delivery/events/number-events.sql.ts'
import type { WebhookLimits } from '../src/delivery/limits.ts'
import { webhookDeliveries } from '../src/delivery/webhooks/delivery/delivery-jobs.ts'
import { webhookSender } from '../src/delivery/webhooks/webhook-sender.ts'
import { jobEnds } from '../src/operations/jobs/job-ends.ts'
import { openDatabase } from '../src/platform/database/database.ts'
import { openLog } from '../src/platform/http/request-log.ts'
import { runJobs } from '../src/platform/jobs/run-jobs.ts'
import { startBackground } from '../src/platform/jobs/timers.ts'
import type { JobLimits } from '../src/platform/limits/jobs.ts'
import { secretCipher } from '../src/platform/secrets/secret-cipher.ts'
import { whenFileEnds } from './setup/file-end.ts'

/** Delivers webhooks from a database, like another process that does nothing else. */
export function startDeliveries(
  connection: pg.ClientConfig,
  allowed: readonly string[],
  { webhooks, jobs }: { webhooks: WebhookLimits; jobs: JobLimits },
): { stop: () => Promise<void>; warnings: unknown[] } {
  const database = openDatabase({ connection, poolSize: 3, statementTimeoutSeconds: 5 })
  const warnings: unknown[] = []
  const warn = { value: (...warning: unknown[]) => void warnings.push(warning) }
  const log: FastifyBaseLogger = Object.create(openLog('silent'), { warn, error: warn })
  const sender = webhookSender(log, allowed, webhooks)
  const { kind, timers } = webhookDeliveries({
    ...{ database, log, sender, cipher: secretCipher(database, []), countAttempt: () => {} },
    numberEvents: async (own) => void (await numberEvents(own)),
  })
  const background = startBackground(timers, database.background, log)
  const running = runJobs({
    ...{ kinds: [kind], ends: jobEnds, database: database.background, log, limits: jobs },
    interrupt: sender.close,
  })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= (async () => {
      await running.stop()
      await background.stop()
      await database.close()
    })()
    return stopped
  }
  whenFileEnds(stop)
  return { stop, warnings }
}
