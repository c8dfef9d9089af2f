import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { type RunState, unfinishedStates } from './run-states.ts'

/** The number of unfinished runs of all projects by state. */
export async function countRunsByState(
  database: Queryable,
): Promise<{ labels: { state: RunState }; count: number }[]> {
  const found = await database.query(sql<{ state: RunState; count: number }>`
    select state, count(*) as count from runs where finished_at is null group by state`)
  return unfinishedStates.map((state) => ({
    labels: { state },
    count: found.find((row) => row.state === state)?.count ?? 0,
  }))
}
