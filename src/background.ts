import type pg from 'pg'
import { deleteExpired } from './access/sessions/session.sql.ts'
import { readOverlap } from './access/tokens/overlap.ts'
import { addPendingEntries } from './catalog/products/pending-entries.sql.ts'
import { mergeProductCounts } from './catalog/products/product-counts.sql.ts'
import { renewStatistics } from './catalog/products/product-statistics.sql.ts'
import { makeEdited } from './catalog/proposals/edits/make-edited.ts'
import { expireProposals } from './catalog/proposals/expire-proposals.ts'
import { requestMissingPreparations } from './catalog/proposals/preparation.sql.ts'
import { preparationJobs } from './catalog/proposals/prepare-proposals.ts'
import { makeReverted } from './catalog/proposals/revert/make-reverted.ts'
import { applyDefaultRules } from './catalog/quality/apply-default-rules.ts'
import { scoringJobs } from './catalog/quality/apply-rulesets.ts'
import { requestMissingScoring } from './catalog/quality/scoring-job.sql.ts'
import type { Config } from './config.ts'
import { webhookDeliveries } from './delivery/webhooks/delivery/delivery-jobs.ts'
import { expireEvents } from './delivery/webhooks/expire-events.ts'
import { backupPlan } from './operations/backup/backup-plan.ts'
import { backupKind, scheduleBackups } from './operations/backup/schedule-backups.ts'
import { jobEnds } from './operations/jobs/job-ends.ts'
import type { Queryable } from './platform/database/database.ts'
import { shareRateLimits } from './platform/http/limits/share-rate-limits.ts'
import { deleteOldResponses } from './platform/http/request/idempotency.sql.ts'
import { deleteOldFailures } from './platform/jobs/job-list.sql.ts'
import {
  ensureJobs,
  maintenanceJobs,
  maintenanceKind,
  type RecurringTask,
} from './platform/jobs/recurring.ts'
import { runJobs } from './platform/jobs/run-jobs.ts'
import { startBackground, type Timer } from './platform/jobs/timers.ts'
import type { JobLimits } from './platform/limits/jobs.ts'
import type { Runtime } from './runtime.ts'

type BackgroundParts = {
  runtime: Runtime
  config: Config
  connection: pg.ClientConfig
  jobLimits?: JobLimits | undefined
}

/** Starts the background work of a worker. The first worker also runs the timers and jobs of the process. */
export function startBackgroundWork({
  runtime,
  config,
  connection,
  jobLimits,
}: BackgroundParts): () => Promise<void> {
  const { database, log, worker } = runtime
  const own = timersOfWorker(runtime)
  if (worker > 0) return startBackground(own, database.background, log).stop
  const plan = backupPlan(config)
  const backups = plan && scheduleBackups({ plan, connection, log, onTimes: runtime.counters.sampleBackups })
  const deliveries = webhookDeliveries({
    ...{ ...runtime.webhooks, database, log, countTry: runtime.counters.countTry },
    numberEvents: runtime.watch.number,
  })
  const tasks = [...deliveries.tasks, ...maintenanceTasks(runtime, config)]
  const recurring = [
    ...tasks.map(({ name }) => ({ kind: maintenanceKind, key: name })),
    ...(backups ? [{ kind: backupKind, key: '' }] : []),
  ]
  const timers = startBackground(
    [
      ...own,
      ...deliveries.timers,
      ...timersOfProcess(runtime),
      ...(backups ? [backups.timer] : []),
      { name: 'recurring jobs', everySeconds: 60, run: (on: Queryable) => ensureJobs(on, recurring) },
    ],
    database.background,
    log,
  )
  const jobs = runJobs({
    kinds: [
      deliveries.kind,
      preparationJobs(database.jobs, { filter: makeEdited, revert: makeReverted }),
      scoringJobs(database.jobs, runtime.rulesets),
      maintenanceJobs(database.jobs, tasks),
      ...(backups ? [backups.kind] : []),
    ],
    ...{ ends: jobEnds, database: database.background, log, limits: jobLimits },
    interrupt: runtime.webhooks.sender.close,
    onRun: runtime.counters.countRun,
  })
  return async () => {
    await jobs.stop()
    await timers.stop()
  }
}

function timersOfWorker({ lastUse, usage, largeProjects }: Runtime): Timer[] {
  return [
    { name: 'last use of tokens', everySeconds: 2, run: lastUse.flush, end: lastUse.flush },
    { name: 'usage', everySeconds: 3, run: usage.flush, end: usage.flush },
    { name: 'large projects', everySeconds: 30, run: largeProjects.refresh },
  ]
}

function timersOfProcess({ watch, rateLimiter }: Runtime): Timer[] {
  const { exchange, leave } = shareRateLimits(rateLimiter.project)
  return [
    { name: 'numbering of events', everySeconds: 1, run: watch.number },
    { name: 'shared rate limits', everySeconds: 0.125, run: exchange, end: leave },
  ]
}

/** Only one process per database runs each of them at a time. */
function maintenanceTasks({ rulesets }: Runtime, { eventRetention }: Config): RecurringTask[] {
  const tasks: RecurringTask[] = [
    { name: 'product counts', everySeconds: 5, run: mergeProductCounts },
    { name: 'pending index entries', everySeconds: 3, run: addPendingEntries },
    { name: 'product statistics', everySeconds: 5, run: renewStatistics },
    { name: 'missing preparations', everySeconds: 30, run: requestMissingPreparations },
    { name: 'missing scoring', everySeconds: 30, run: requestMissingScoring },
    { name: 'old responses', everySeconds: 600, run: deleteOldResponses },
    { name: 'expired sessions', everySeconds: 600, run: deleteExpired },
    { name: 'expired proposals', everySeconds: 600, run: expireProposals },
    { name: 'old failed jobs', everySeconds: 600, run: deleteOldFailures },
    {
      name: 'default quality rules',
      everySeconds: 600,
      run: (own, signal) => applyDefaultRules(own, rulesets, signal),
      isWhole: true,
    },
  ]
  const seconds = eventRetention && readOverlap(eventRetention)
  if (!seconds) return tasks
  return [
    ...tasks,
    {
      name: 'event retention',
      everySeconds: 60,
      run: (own, signal) => expireEvents(own, seconds, signal),
    },
  ]
}
