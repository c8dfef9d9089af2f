import { databaseLimits } from '../../limits/database.ts'
import { walkInBatches } from '../../scheduling/walk-in-batches.ts'
import type { Queryable } from '../database.ts'
import { failureOf } from '../failures.ts'
import { raw, type Sql, sql } from '../sql.ts'

/** Rows that are deleted after the time in a column, which has an index. */
type Outdated = { table: string; column: string; before: Sql }

/**
 * Deletes outdated rows, oldest first, in short statements. Locked rows are left for the next run, so that several processes
 * can share the work.
 */
export async function deleteInBatches(
  database: Queryable,
  { table, column, before }: Outdated,
  signal: AbortSignal,
): Promise<void> {
  // Each batch starts where the last one ended, because the index still contains deleted rows that an old snapshot can see.
  let from = '-infinity'
  const isTooLarge = (error: unknown) => failureOf(error) === 'query_timeout'
  await walkInBatches({ first: databaseLimits.deletedRows, isTooLarge, signal }, async (size) => {
    const [batch] = await database.query(deleteBatch({ table, column, before }, from, size))
    if (batch === undefined || batch.last === null) return true
    from = batch.last
    return undefined
  })
}

function deleteBatch({ table, column, before }: Outdated, from: string, size: number) {
  const name = raw(table)
  const time = raw(column)
  return sql<{ last: string | null }>`
    with outdated as materialized (
      select ctid, ${time} as time from ${name} where ${time} >= ${from}::timestamptz and ${time} < ${before}
      order by ${time} limit ${size} for update skip locked
    ), deleted as (
      delete from ${name} where ctid = any(array(select ctid from outdated))
    )
    select max(time) as last from outdated`
}
