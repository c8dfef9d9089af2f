import type { Queryable, Writable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { jobLimits } from '../limits/jobs.ts'
import type { JobKind } from './job.ts'

/** Work for the whole database that any one process does at intervals. */
export type RecurringTask = {
  name: string
  everySeconds: number
  run: (database: Writable, signal: AbortSignal) => Promise<unknown>
  /** Has to be done in one run, because it does not remember how far it is. */
  isWhole?: boolean
}

export const maintenanceKind = 'upkeep'
/** A task of another release is left to a process that knows it. */
const unknownPauseMilliseconds = 5_000

/** A recurring task never ends: after a failure, a process tries it again. */
export function maintenanceJobs(database: Writable, tasks: readonly RecurringTask[]): JobKind {
  const byName = new Map(tasks.map((task) => [task.name, task]))
  return {
    name: maintenanceKind,
    maxConcurrent: jobLimits.upkeep,
    maxPerProject: jobLimits.upkeep,
    reserved: 0,
    maxAttempts: Number.POSITIVE_INFINITY,
    maxPauseSeconds: jobLimits.upkeepPauseSeconds,
    async run({ key, signal }) {
      const task = byName.get(key)
      if (task === undefined) return { againInMilliseconds: unknownPauseMilliseconds }
      // A task that takes longer goes on in its next run, so that others get its place.
      const turn =
        task.isWhole === true
          ? signal
          : AbortSignal.any([signal, AbortSignal.timeout(jobLimits.upkeepTurnMilliseconds)])
      await task.run(database, turn)
      return { againInMilliseconds: turn.aborted ? 0 : task.everySeconds * 1000 }
    },
  }
}

/** Adds jobs of the service itself that the table does not have. */
export async function ensureJobs(
  database: Queryable,
  jobs: readonly { kind: string; key: string }[],
): Promise<void> {
  await database.query(sql`
    insert into jobs (project_id, kind, key)
    select 0, * from unnest(${jobs.map(({ kind }) => kind)}::text[], ${jobs.map(({ key }) => key)}::text[])
    on conflict do nothing`)
}
