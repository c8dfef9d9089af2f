import type { FastifyBaseLogger } from 'fastify'
import { batchReads } from '../../../platform/database/batching/batch-reads.ts'
import type { Database, Writable } from '../../../platform/database/database.ts'
import type { JobKind } from '../../../platform/jobs/job.ts'
import type { RecurringTask } from '../../../platform/jobs/recurring.ts'
import type { Timer } from '../../../platform/jobs/timers.ts'
import type { SecretCipher } from '../../../platform/secrets/secret-cipher.ts'
import { deliveryKind } from '../delivery-job.ts'
import { targetRead } from '../target.sql.ts'
import type { WebhookSender } from '../webhook-sender.ts'
import type { Tools } from './attempt-delivery.ts'
import { deliverWebhook } from './deliver-webhook.ts'
import { deliveryLog } from './delivery-log.ts'
import { deleteOldAttempts } from './delivery-results.sql.ts'
import { notifyFailing } from './notify-failing.ts'
import {
  hasEnabled,
  type LeasedPartition,
  requestMissingDeliveries,
  savePartitions,
} from './partition.sql.ts'

type Parts = {
  database: Pick<Database, 'deliveries'>
  cipher: SecretCipher
  sender: WebhookSender
  log: Pick<FastifyBaseLogger, 'warn'>
  countAttempt: Tools['countAttempt']
  /** Adds committed events to the feed. */
  numberEvents: (database: Writable) => Promise<void>
}

/** While no webhook is enabled, only every fourth run queries the database. */
const idleRuns = 4

/** The deliveries of one process. Any number of processes share the webhooks. */
export function webhookDeliveries({ database, cipher, sender, countAttempt, numberEvents }: Parts): {
  kind: JobKind
  timers: Timer[]
  tasks: RecurringTask[]
} {
  const { limits } = sender
  const { deliveries } = database
  const log = deliveryLog(limits.storedAttempts)
  const leased = new Set<LeasedPartition>()
  const tools: Tools = {
    ...{ cipher, sender, countAttempt, leased, log, findTarget: batchReads(deliveries, targetRead) },
  }
  let runsToSkip = 0

  /** While a webhook is enabled, events enter the feed without waiting for a reader. */
  async function number(background: Writable): Promise<void> {
    runsToSkip -= 1
    if (runsToSkip > 0) return
    runsToSkip = (await hasEnabled(background)) ? 0 : idleRuns
    if (runsToSkip === 0) await numberEvents(background)
  }

  /** Saves attempts and the progress of partitions. The process stops delivering partitions whose lease it lost. */
  async function save(): Promise<void> {
    const partitions = [...leased]
    if (partitions.length === 0 && log.isEmpty()) return
    const { saved, forget } = await deliveries.transaction(async (tx) => ({
      saved: partitions.length === 0 ? [] : await savePartitions(tx, partitions),
      forget: await log.write(tx),
    }))
    forget()
    const names = new Set(saved.map(({ lease, index }) => `${lease}/${index}`))
    for (const partition of partitions)
      if (!names.has(`${partition.lease}/${partition.index}`)) leased.delete(partition)
  }

  return {
    kind: {
      name: deliveryKind,
      maxConcurrent: limits.webhooksAtOnce,
      maxPerProject: limits.webhooksPerProject,
      reserved: limits.webhooksReserved,
      maxAttempts: limits.jobAttempts,
      maxPauseSeconds: limits.jobPauseSeconds,
      run: (job) => deliverWebhook(deliveries, tools, job),
    },
    timers: [
      { name: 'numbering for webhooks', everySeconds: limits.pollMilliseconds / 1000, run: number },
      { name: 'progress of webhooks', everySeconds: limits.saveMilliseconds / 1000, run: save, end: save },
    ],
    tasks: [
      {
        name: 'missing deliveries',
        everySeconds: limits.sweepMilliseconds / 1000,
        run: requestMissingDeliveries,
      },
      {
        name: 'failing webhooks',
        everySeconds: limits.checkMilliseconds / 1000,
        run: (own, signal) => notifyFailing(own, limits, signal),
      },
      {
        name: 'old webhook attempts',
        everySeconds: 600,
        run: (own, signal) => deleteOldAttempts(own, limits.attemptRetentionDays, signal),
      },
    ],
  }
}
