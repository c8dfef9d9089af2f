import type pg from 'pg'
import { deleteOldInvitations } from './access/members/member-invitation.sql.ts'
import { deleteOldNotifications } from './access/notifications/notification.sql.ts'
import { deleteExpired } from './access/sessions/session.sql.ts'
import { readOverlap } from './access/tokens/overlap.ts'
import { deleteOldActivity } from './access/usage/activity.sql.ts'
import { thumbnailJobs } from './catalog/assets/make-thumbnails.ts'
import { removeDueFiles } from './catalog/assets/remove-files.ts'
import { sweepAssets } from './catalog/assets/sweep-assets.ts'
import { requestMissingThumbnails } from './catalog/assets/thumbnail-job.ts'
import { folderJobs } from './catalog/media-store/remove-folders.ts'
import { addPendingEntries } from './catalog/products/pending-entries.sql.ts'
import { mergeProductCounts } from './catalog/products/product-counts.sql.ts'
import { renewStatistics } from './catalog/products/product-statistics.sql.ts'
import { prepareEdits } from './catalog/proposals/edits/prepare-edits.ts'
import { expireProposals } from './catalog/proposals/expire-proposals.ts'
import { requestMissingPreparations } from './catalog/proposals/preparation.sql.ts'
import { preparationJobs } from './catalog/proposals/prepare-proposals.ts'
import { prepareReverts } from './catalog/proposals/revert/prepare-reverts.ts'
import { applyDefaultRules } from './catalog/quality/apply-default-rules.ts'
import { scoringJobs } from './catalog/quality/apply-rulesets.ts'
import { requestMissingScoring } from './catalog/quality/scoring-job.sql.ts'
import { runJobKind } from './catalog/runs/driving/drive-run.ts'
import { forgetResponses, requestMissingRuns } from './catalog/runs/keep-runs.ts'
import type { Config } from './config.ts'
import { webhookDeliveries } from './delivery/webhooks/delivery/delivery-jobs.ts'
import { expireEvents } from './delivery/webhooks/expire-events.ts'
import { backupPlan } from './operations/backup/backup-plan.ts'
import { backupKind, scheduleBackups } from './operations/backup/schedule-backups.ts'
import { pictureJobs } from './operations/demo/load-pictures.ts'
import { notifyingEnds } from './operations/jobs/notify-failed-jobs.ts'
import type { Queryable } from './platform/database/database.ts'
import { shareRateLimits } from './platform/http/limits/share-rate-limits.ts'
import { deleteOldResponses } from './platform/http/request/idempotency.sql.ts'
import { type ImageProcess, openImageProcess } from './platform/images/image-process.ts'
import type { JobKind } from './platform/jobs/job.ts'
import { deleteOldFailures } from './platform/jobs/job-list.sql.ts'
import {
  ensureJobs,
  maintenanceJobs,
  maintenanceKind,
  type RecurringTask,
} from './platform/jobs/recurring.ts'
import { runJobs } from './platform/jobs/run-jobs.ts'
import { startBackground, type Timer } from './platform/jobs/timers.ts'
import { type JobLimits, maintenanceTimers, processTimers, workerTimers } from './platform/limits/jobs.ts'
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
    ...{ sender: runtime.webhooks.sender, cipher: runtime.ofJobs.cipher, database, log },
    countAttempt: runtime.counters.countAttempt,
    numberEvents: runtime.watch.number,
  })
  const images = openImageProcess()
  const tasks = [...deliveries.tasks, ...maintenanceTasks(runtime, config), ...mediaTasks(runtime)]
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
      {
        name: 'recurring jobs',
        everySeconds: processTimers.recurringJobSeconds,
        run: (on: Queryable) => ensureJobs(on, recurring),
      },
    ],
    database.background,
    log,
  )
  const jobs = runJobs({
    kinds: [
      deliveries.kind,
      preparationJobs(database.jobs, { filter: prepareEdits, revert: prepareReverts }),
      scoringJobs(database.jobs, runtime.ofJobs.rulesets),
      runJobKind({
        ...{ ...runtime.ofJobs, database, models: runtime.models, secret: runtime.runSecret, log },
        countCall: runtime.counters.countCall,
      }),
      maintenanceJobs(database.jobs, tasks),
      ...(backups ? [backups.kind] : []),
      pictureJobs(database.jobs, runtime.ofJobs.media),
      ...mediaJobs(runtime, images),
    ],
    ...{ ends: notifyingEnds, database: database.background, log, limits: jobLimits },
    interrupt: runtime.webhooks.sender.close,
    onRun: runtime.counters.countRun,
  })
  return async () => {
    await jobs.stop()
    images.close()
    await timers.stop()
  }
}

function timersOfWorker({ lastUse, usage, activity, largeProjects }: Runtime): Timer[] {
  return [
    {
      name: 'last use of tokens',
      everySeconds: workerTimers.lastUseSeconds,
      run: lastUse.flush,
      end: lastUse.flush,
    },
    { name: 'activity', everySeconds: workerTimers.usageSeconds, run: activity.flush, end: activity.flush },
    { name: 'usage', everySeconds: workerTimers.usageSeconds, run: usage.flush, end: usage.flush },
    { name: 'large projects', everySeconds: workerTimers.largeProjectSeconds, run: largeProjects.refresh },
  ]
}

function timersOfProcess({ watch, rateLimiter, ofJobs: { media } }: Runtime): Timer[] {
  const { exchange, leave } = shareRateLimits(rateLimiter.project)
  return [
    { name: 'numbering of events', everySeconds: processTimers.eventNumberSeconds, run: watch.number },
    { name: 'shared rate limits', everySeconds: processTimers.rateLimitSeconds, run: exchange, end: leave },
    {
      name: 'interrupted uploads',
      everySeconds: processTimers.interruptedUploadSeconds,
      run: media.removeInterrupted,
    },
  ]
}

/** Only where a store is configured. Otherwise the jobs wait for a process that has it. */
function mediaJobs({ ofJobs: { media }, database }: Runtime, images: ImageProcess): JobKind[] {
  if (!media.isConfigured) return []
  return [thumbnailJobs({ database: database.jobs, media, images }), folderJobs(database.jobs, media)]
}

function mediaTasks({ ofJobs: { media } }: Runtime): RecurringTask[] {
  if (!media.isConfigured) return []
  return [
    {
      name: 'file removal',
      everySeconds: maintenanceTimers.fileRemovalSeconds,
      run: (own, signal) => removeDueFiles(own, media, signal),
    },
    {
      name: 'unused files',
      everySeconds: maintenanceTimers.unusedFileSeconds,
      run: sweepAssets,
      isWhole: true,
    },
    {
      name: 'missing thumbnails',
      everySeconds: maintenanceTimers.thumbnailSeconds,
      run: requestMissingThumbnails,
    },
  ]
}

/** Each runs in only one process per database at a time. */
function maintenanceTasks({ ofJobs }: Runtime, { eventRetention }: Config): RecurringTask[] {
  const tasks: RecurringTask[] = [
    { name: 'product counts', everySeconds: maintenanceTimers.productCountSeconds, run: mergeProductCounts },
    {
      name: 'pending index entries',
      everySeconds: maintenanceTimers.indexEntrySeconds,
      run: addPendingEntries,
    },
    {
      name: 'product statistics',
      everySeconds: maintenanceTimers.productStatisticSeconds,
      run: renewStatistics,
    },
    {
      name: 'missing preparations',
      everySeconds: maintenanceTimers.preparationSeconds,
      run: requestMissingPreparations,
    },
    { name: 'missing scoring', everySeconds: maintenanceTimers.scoringSeconds, run: requestMissingScoring },
    { name: 'old responses', everySeconds: maintenanceTimers.cleanupSeconds, run: deleteOldResponses },
    { name: 'expired sessions', everySeconds: maintenanceTimers.cleanupSeconds, run: deleteExpired },
    { name: 'old invitations', everySeconds: maintenanceTimers.cleanupSeconds, run: deleteOldInvitations },
    { name: 'old activity', everySeconds: maintenanceTimers.cleanupSeconds, run: deleteOldActivity },
    {
      name: 'old notifications',
      everySeconds: maintenanceTimers.cleanupSeconds,
      run: deleteOldNotifications,
    },
    { name: 'expired proposals', everySeconds: maintenanceTimers.cleanupSeconds, run: expireProposals },
    { name: 'old model responses', everySeconds: maintenanceTimers.cleanupSeconds, run: forgetResponses },
    { name: 'missing runs', everySeconds: maintenanceTimers.preparationSeconds, run: requestMissingRuns },
    { name: 'old failed jobs', everySeconds: maintenanceTimers.cleanupSeconds, run: deleteOldFailures },
    {
      name: 'default quality rules',
      everySeconds: maintenanceTimers.defaultRuleSeconds,
      run: (own, signal) => applyDefaultRules(own, ofJobs.rulesets, signal),
      isWhole: true,
    },
  ]
  const seconds = eventRetention && readOverlap(eventRetention)
  if (!seconds) return tasks
  return [
    ...tasks,
    {
      name: 'event retention',
      everySeconds: maintenanceTimers.eventRetentionSeconds,
      run: (own, signal) => expireEvents(own, seconds, signal),
    },
  ]
}
