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
import { deliverWebhook } from './deliver-webhook.ts'
import { deliveryLog } from './delivery-log.ts'
import { type HeldLane, hasEnabled, keepLanes, requestMissingDeliveries } from './lane.sql.ts'
import { deleteOldAttempts } from './outcomes.sql.ts'
import { tellTroubles } from './tell-troubles.ts'
import type { Tools } from './try-event.ts'

type Parts = {
  database: Pick<Database, 'deliveries'>
  cipher: SecretCipher
  sender: WebhookSender
  log: Pick<FastifyBaseLogger, 'warn'>
  countTry: Tools['countTry']
  /** Numbers the events that are to be delivered. */
  numberEvents: (database: Writable) => Promise<void>
}

/** While no webhook is enabled, only one of this many looks queries the database. */
const looksOfRest = 4

/** The deliveries of a process. Any number of processes share the webhooks. */
export function webhookDeliveries({ database, cipher, sender, countTry, numberEvents }: Parts): {
  kind: JobKind
  timers: Timer[]
  tasks: RecurringTask[]
} {
  const { limits } = sender
  const { deliveries } = database
  const written = deliveryLog(limits.keptTries)
  const held = new Set<HeldLane>()
  const tools: Tools = {
    ...{ cipher, sender, countTry, held, log: written, findTarget: batchReads(deliveries, targetRead) },
  }
  let rest = 0

  /** If a webhook is enabled, events get their numbers without waiting for a reader. */
  async function number(background: Writable): Promise<void> {
    rest -= 1
    if (rest > 0) return
    rest = (await hasEnabled(background)) ? 0 : looksOfRest
    if (rest === 0) await numberEvents(background)
  }

  /** Saves the progress of lanes and the attempts. The process stops delivering a lane that it lost. */
  async function save(): Promise<void> {
    const lanes = [...held]
    if (lanes.length === 0 && written.isEmpty()) return
    const { kept, forget } = await deliveries.transaction(async (tx) => ({
      kept: lanes.length === 0 ? [] : await keepLanes(tx, lanes),
      forget: await written.write(tx),
    }))
    forget()
    const names = new Set(kept.map(({ lease, lane }) => `${lease}/${lane}`))
    for (const lane of lanes) if (!names.has(`${lane.lease}/${lane.lane}`)) held.delete(lane)
  }

  return {
    kind: {
      name: deliveryKind,
      maxConcurrent: limits.webhooksAtOnce,
      maxPerProject: limits.webhooksOfProjectAtOnce,
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
        run: (own, signal) => tellTroubles(own, limits, signal),
      },
      {
        name: 'old webhook attempts',
        everySeconds: 600,
        run: (own, signal) => deleteOldAttempts(own, limits.keptTryDays, signal),
      },
    ],
  }
}
