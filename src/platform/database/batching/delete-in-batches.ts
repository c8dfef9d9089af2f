import { databaseLimits } from '../../limits/database.ts'
import { walkInBatches } from '../../scheduling/walk-in-batches.ts'
import type { Queryable } from '../database.ts'
import { failureOf } from '../failures.ts'
import { raw, type Sql, sql } from '../sql.ts'

/** Rows that go once the time in a column is past; the column has an index. */
type Outdated = { table: string; column: string; before: Sql }

/**
 * Deletes outdated rows, oldest first, in statements that are short each, however many rows there are. Rows that somebody
 * holds are left for the next time, so that several processes share the work.
 */
export async function deleteInBatches(
  database: Queryable,
  { table, column, before }: Outdated,
  signal: AbortSignal,
): Promise<void> {
  // Each batch begins where the last ended: the index still names the rows before, for as long as an old snapshot may see them.
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
