import { sql } from '../../platform/database/sql.ts'
import { countJobs, hasRunningJobs, type JobCounts } from '../../platform/jobs/job-list.sql.ts'
import { maintenanceKind } from '../../platform/jobs/recurring.ts'
import { backupKind } from '../backup/schedule-backups.ts'
import { kindsOf } from '../jobs/job-ends.ts'
import { doctorLimits } from '../limits.ts'
import { type Check, type Finding, ok, onDatabase, warning } from './check.ts'

/** Warns about jobs that failed, and about jobs that no service starts. */
export const jobsCheck: Check = onDatabase('jobs', async (database, { config }) => {
  const [table] = await database.query(
    sql<{ found: boolean }>`select to_regclass('jobs') is not null as found`,
  )
  if (table?.found !== true) return ok('not checked until the migrations are applied')
  const counts = await countJobs(database, kindsOf(config))
  return judgeJobs(counts, await hasRunningJobs(database, doctorLimits.dueSeconds))
})

function judgeJobs(counts: JobCounts[], areRun: boolean): Finding {
  const failed = counts.filter(({ states }) => states.failed > 0)
  if (failed.length > 0)
    return warning(
      `background jobs failed: ${failed.map(({ kind, states }) => `${states.failed} ${kind}`).join(', ')}`,
      'run "catalog jobs list --state failed" to see the errors; fix the cause, then run "catalog jobs retry ID"',
    )
  // Late recurring jobs do no harm while no service runs.
  const overdue = counts.filter(
    ({ kind, oldest_due_seconds }) =>
      oldest_due_seconds > doctorLimits.dueSeconds &&
      (areRun || (kind !== maintenanceKind && kind !== backupKind)),
  )
  if (overdue.length === 0) return ok('no failed jobs, and none due for more than a minute')
  const detail = `jobs have been due for more than a minute: ${overdue.map(describe).join(', ')}`
  return areRun
    ? warning(
        `${detail}, although a service runs jobs`,
        'run "catalog jobs list --state running" to see which jobs use all slots, and check the service log',
      )
    : warning(`${detail}; no service runs jobs`, 'start a service, or check its log if it is running')
}

function describe({ kind, states, oldest_due_seconds }: JobCounts): string {
  return `${states.due} ${kind} (the oldest for ${Math.round(oldest_due_seconds)} seconds)`
}
