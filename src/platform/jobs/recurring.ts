import type { Queryable, Writable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { jobLimits } from '../limits/jobs.ts'
import type { JobKind } from './job.ts'

/** Recurring work for the whole database, which one process does at a time. */
export type RecurringTask = {
  name: string
  everySeconds: number
  run: (database: Writable, signal: AbortSignal) => Promise<unknown>
  /** Must finish in one run, because its progress is not stored. */
  isWhole?: boolean
}

export const maintenanceKind = 'upkeep'

/** A recurring task never ends: after a failure, a process tries it again. */
export function maintenanceJobs(database: Writable, tasks: readonly RecurringTask[]): JobKind {
  const byName = new Map(tasks.map((task) => [task.name, task]))
  return {
    name: maintenanceKind,
    maxConcurrent: jobLimits.maintenance,
    maxPerProject: jobLimits.maintenance,
    reserved: 0,
    maxAttempts: Number.POSITIVE_INFINITY,
    maxPauseSeconds: jobLimits.maintenancePauseSeconds,
    async run({ key, signal }) {
      const task = byName.get(key)
      // A task of another release is left to a process that knows it.
      if (task === undefined) return { againInMilliseconds: jobLimits.unknownTaskPauseMilliseconds }
      // A task that takes longer continues in its next run, so that others get its slot.
      const turn =
        task.isWhole === true
          ? signal
          : AbortSignal.any([signal, AbortSignal.timeout(jobLimits.maintenanceTurnMilliseconds)])
      await task.run(database, turn)
      return { againInMilliseconds: turn.aborted ? 0 : task.everySeconds * 1000 }
    },
  }
}

/** Adds recurring jobs that the table does not have. */
export async function ensureJobs(
  database: Queryable,
  jobs: readonly { kind: string; key: string }[],
): Promise<void> {
  await database.query(sql`
    insert into jobs (project_id, kind, key)
    select 0, * from unnest(${jobs.map(({ kind }) => kind)}::text[], ${jobs.map(({ key }) => key)}::text[])
    on conflict do nothing`)
}
