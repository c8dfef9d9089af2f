import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Job } from '../background.ts'
import { connect } from '../database/connect.ts'
import { type BackupPlan, prepareFolder } from './backup-plan.ts'
import { nameOfBackup, newestKept, removeOldest, removePartial } from './kept-backups.ts'
import { saveBackup } from './save-backup.ts'

const scheduleLock = 4_270_019
/** How often it is looked whether a backup is due, and how soon after a failure the next is tried. */
const mostLookSeconds = 30
const mostRetrySeconds = 600

type ScheduleParts = {
  plan: BackupPlan
  connection: pg.ClientConfig
  log: Pick<FastifyBaseLogger, 'info'>
  /** Hears when the newest backup was made and when one failed, in Unix time; 0 where none was or did. */
  onTimes?: (success: number, failure: number) => void
}

/** Backups by the clock, made by one process of all on the database: the one that holds the lock, until it ends. */
export function scheduleBackups({ plan, connection, log, onTimes = () => {} }: ScheduleParts): Job {
  const { everySeconds, folder } = plan
  const holder = lockHolder(connection)
  let failedAt = 0

  const isDue = () => {
    const now = Date.now()
    const last = newestKept(folder)?.at.getTime() ?? 0
    // A clock that was set back leaves the failure ahead: it is not waited for.
    const retryAt = failedAt > now ? 0 : failedAt + Math.min(everySeconds, mostRetrySeconds) * 1000
    return now >= Math.max(last + everySeconds * 1000, retryAt)
  }
  const tellTimes = () => onTimes((newestKept(folder)?.at.getTime() ?? 0) / 1000, failedAt / 1000)

  async function run(_database: unknown, signal: AbortSignal): Promise<void> {
    try {
      if (isDue() && (await holder.take()) && isDue()) await makeOne({ plan, connection, log }, signal)
    } catch (error) {
      if (signal.aborted) return
      failedAt = Date.now()
      throw error
    } finally {
      tellTimes()
    }
  }

  return {
    name: 'backup',
    everySeconds: Math.min(mostLookSeconds, everySeconds / 4),
    run,
    end: holder.leave,
  }
}

async function makeOne({ plan, connection, log }: ScheduleParts, signal: AbortSignal): Promise<void> {
  const { folder } = plan
  prepareFolder(plan)
  removePartial(folder)
  const began = new Date()
  const file = nameOfBackup(began)
  const { bytes } = await saveBackup(connection, join(folder, file), { signal })
  removeOldest(plan)
  log.info({ file, bytes, seconds: (Date.now() - began.getTime()) / 1000 }, 'backup written')
}

/** Holds an advisory lock on a connection of its own. A process that is killed loses both, and another one takes the lock. */
function lockHolder(connection: pg.ClientConfig) {
  let held: pg.Client | undefined
  return {
    async take(): Promise<boolean> {
      if (held !== undefined) return true
      const settings = { application_name: 'catalog-backup-schedule', keepAlive: true, query_timeout: 10_000 }
      const client = await connect({ ...connection, connectionTimeoutMillis: 10_000, ...settings })
      client.once('end', () => {
        if (held === client) held = undefined
      })
      try {
        const { rows } = await client.query<{ taken: boolean }>(
          `select pg_try_advisory_lock(${scheduleLock}) as taken`,
        )
        if (rows[0]?.taken === true) held = client
        return held !== undefined
      } finally {
        if (held !== client) await client.end().catch(() => {})
      }
    },
    async leave(): Promise<void> {
      const client = held
      held = undefined
      await client?.end()
    },
  }
}
