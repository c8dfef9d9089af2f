import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { JobKind } from '../../platform/jobs/job.ts'
import type { Timer } from '../../platform/jobs/timers.ts'
import { repeat } from '../../platform/scheduling/retry.ts'
import { operationLimits } from '../limits.ts'
import { type BackupPlan, prepareFolder } from './backup-plan.ts'
import { saveBackup } from './save-backup.ts'
import { backupFileName, findNewestBackup, removeOldest, removePartial } from './stored-backups.ts'

export const backupKind = 'backup'

type ScheduleParts = {
  plan: BackupPlan
  connection: pg.ClientConfig
  log: Pick<FastifyBaseLogger, 'info'>
  /** Called with the times of the newest backup and the last failure, in Unix seconds; 0 if there is none. */
  onTimes?: (success: number, failure: number) => void
  /** Shorter in tests. */
  pollMilliseconds?: number
}

/**
 * Scheduled backups. The process that holds the job writes all backups until it stops, so that they are in one folder. Then another
 * process takes over.
 */
export function scheduleBackups({
  plan,
  connection,
  log,
  onTimes = () => {},
  pollMilliseconds = Math.min(operationLimits.backupPollMilliseconds, plan.everySeconds * 250),
}: ScheduleParts): {
  kind: JobKind
  timer: Timer
} {
  const { everySeconds, folder } = plan
  let failedAt = 0
  const reportTimes = async () => onTimes(newestTime(folder) / 1000, failedAt / 1000)

  /** Returns whether a backup was due and has been written. */
  async function backUpIfDue(signal: AbortSignal): Promise<boolean> {
    try {
      if (!isDue(plan)) return false
      await runScheduledBackup({ plan, connection, log }, signal)
      return true
    } catch (error) {
      if (!signal.aborted) failedAt = Date.now()
      throw error
    } finally {
      await reportTimes()
    }
  }

  return {
    kind: {
      name: backupKind,
      maxConcurrent: 1,
      maxPerProject: 1,
      reserved: 0,
      maxAttempts: Number.POSITIVE_INFINITY,
      maxPauseSeconds: Math.min(everySeconds, operationLimits.backupPauseSeconds),
      async run({ signal, attempts }) {
        // Returning after a success resets the failed attempts.
        const mayReturn = async () => ((await backUpIfDue(signal)) && attempts > 0) || undefined
        await repeat({ pauses: [pollMilliseconds], signal }, mayReturn)
        return { againInMilliseconds: 0 }
      },
    },
    timer: { name: 'backup times', everySeconds: pollMilliseconds / 1000, run: reportTimes },
  }
}

/** 0 if there is no backup or the folder cannot be read. */
function newestTime(folder: string): number {
  try {
    return findNewestBackup(folder)?.at.getTime() ?? 0
  } catch {
    return 0
  }
}

function isDue({ folder, everySeconds }: BackupPlan): boolean {
  const last = findNewestBackup(folder)?.at.getTime() ?? 0
  return Date.now() >= last + everySeconds * 1000
}

async function runScheduledBackup(
  { plan, connection, log }: ScheduleParts,
  signal: AbortSignal,
): Promise<void> {
  const { folder } = plan
  prepareFolder(plan)
  removePartial(folder)
  const began = new Date()
  const file = backupFileName(began)
  const { bytes } = await saveBackup(connection, join(folder, file), { signal })
  removeOldest(plan)
  log.info({ file, bytes, seconds: (Date.now() - began.getTime()) / 1000 }, 'backup written')
}
