import { runLimits } from '../../model/limits/runs.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { walkInBatches } from '../../platform/scheduling/walk-in-batches.ts'
import { runKind } from './run-job.ts'

/** Removes what models read and wrote after some time. The figures stay. */
export async function forgetResponses(database: Queryable, signal: AbortSignal): Promise<void> {
  await walkInBatches({ first: runLimits.removedResponses, signal }, async (size) => {
    const rows = await database.query(sql`
      with old as materialized (
        select project_id, run_id, place from run_calls
        where input_hash is not null and finished_at < now() - ${runLimits.responseDays} * interval '1 day'
        order by finished_at limit ${size} for update skip locked
      )
      update run_calls as call set base = null, response = null, input_hash = null from old
      where (call.project_id, call.run_id, call.place) = (old.project_id, old.run_id, old.place) returning 1`)
    return rows.length < size ? true : undefined
  })
}

/** Requests the jobs of active runs that have none, such as those of a job that an older release deleted. */
export async function requestMissingRuns(database: Queryable): Promise<void> {
  await database.query(sql`
    insert into jobs (project_id, kind, key)
    select project_id, ${runKind}, id::text from runs where finished_at is null and state in ('sampling', 'running')
    on conflict do nothing`)
}
