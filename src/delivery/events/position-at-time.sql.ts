import { beginning, type Cursor, shortUuid } from '../../model/events/cursor.ts'
import { findFeedHead } from '../../model/events/feed-position.sql.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Longer than any transaction between a change and its commit. */
const maxCommitDelay = sql`interval '10 minutes'`

/**
 * The last position before all changes at the time or later. Numbers follow commits, so some earlier changes may come after it too.
 * Numbers have no gaps: a binary search finds a safe start, and a scan from there finds the position.
 */
export async function findPositionAtTime(
  database: Queryable,
  projectId: number,
  /** ISO 8601. */
  time: string,
): Promise<Cursor> {
  const head = await findFeedHead(database, projectId)
  const [last] = await database.query(sql<{ number: number; key: string; position: number }>`
    with recursive halved (low, high) as (
      select coalesce((select number from event_feed where project_id = ${projectId} order by number limit 1), 1) - 1, ${head.number}::bigint + 1
      union all
      select case when row.is_before then middle else low end, case when row.is_before then high else middle end
      from halved cross join lateral (select (low + high) / 2 as middle) as half
      cross join lateral (
        select changed_at < ${time}::timestamptz - ${maxCommitDelay} as is_before from event_feed
        where project_id = ${projectId} and number = middle
      ) as row
      where high - low > 1
    ), first as (
      select number from event_feed
      where project_id = ${projectId} and number > (select max(low) from halved) and changed_at >= ${time}::timestamptz
      order by number limit 1
    )
    select number, key, cardinality(object_ids) as position from event_feed
    where project_id = ${projectId} and number = coalesce((select number from first) - 1, ${head.number}::bigint)`)
  return last === undefined ? beginning : { ...last, epoch: head.epoch, key: shortUuid(last.key) }
}
