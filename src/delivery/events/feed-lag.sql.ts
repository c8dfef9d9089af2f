import { isUnnumbered } from '../../model/events/unnumbered.sql.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Seconds that the oldest unnumbered event has been waiting; 0 if there is none. */
export async function findFeedLag(database: Queryable): Promise<number> {
  const [row] = await database.query(sql<{ seconds: number }>`
    select greatest(0, coalesce(extract(epoch from clock_timestamp() - min(changed_at)), 0))::float8 as seconds
    from event_outbox where ${isUnnumbered}`)
  return row?.seconds ?? 0
}
