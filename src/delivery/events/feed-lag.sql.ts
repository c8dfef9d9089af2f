import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { isUnnumbered } from './number-events.sql.ts'

/** How long the oldest event waits for its number, in seconds; 0 where none does. */
export async function findFeedLag(database: Queryable): Promise<number> {
  const [row] = await database.query(sql<{ seconds: number }>`
    select greatest(0, coalesce(extract(epoch from clock_timestamp() - min(changed_at)), 0))::float8 as seconds
    from event_outbox where ${isUnnumbered}`)
  return row?.seconds ?? 0
}
