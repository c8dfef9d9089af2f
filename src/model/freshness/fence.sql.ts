import { raw, type Sql, sql } from '../../platform/database/sql.ts'
import type { EventType } from '../events/event-types.ts'
import { fenceLimits } from '../limits/events.ts'

/** A change that moved the fence. Without `ids`, it changed too many objects to list them. */
export type FenceChange = { type: EventType; ids: number[] | null }

/**
 * What the database had stored for a project when the statement ran. Every committed change is in the feed, has no number yet, or has
 * set `unrecorded`. `server` differs after a failover or a restore, which can lose changes that a response has already shown.
 */
export type Fence = {
  server: string
  unrecorded: string | null
  /** The newest event; null if the project has none. */
  number: number | null
  key: string | null
  /** The newest events, newest first, if there are any after the known one. */
  since: (FenceChange & { number: number; key: string })[] | null
  /** The events without a number, of all projects; null if there are none. */
  unnumbered: (FenceChange & { project_id: number })[] | null
}

const { feedRows, unnumberedRows, idBytes } = fenceLimits
// The text includes them, because each parameter takes time in the service and in the database.
const feedLimits = raw(`${feedRows + 1}, ${idBytes}`)
const outboxLimits = raw(`${unnumberedRows + 1}, ${idBytes}`)

/** Joins the newest event of a row of `project` as `head`. */
export const fenceHead = sql`left join lateral (
      select number, key from event_feed where event_feed.project_id = project.id order by number desc limit 1
    ) as head on true`

/** No query for as long as nothing changes, except one index lookup each in the feed and in the outbox. */
const unnumbered = sql`(
      select case
        when pg_snapshot_xmax(seen) <= pg_snapshot_xmax(pg_current_snapshot()) and pg_snapshot_xmin(seen) = pg_snapshot_xmax(seen)
          and not exists (select from event_outbox where xid >= pg_snapshot_xmax(seen)) then null
        else unnumbered_events(${outboxLimits}) end
      from event_numbering)`

/**
 * The columns of a fence, for a row of `project` and its `head`. A restore creates the tables again, so the ID of a table stands for
 * the epoch, without another lookup.
 */
export function fenceColumns(known: Sql): Sql {
  return sql`
    pg_postmaster_start_time() || ' ' || project.tableoid as server, project.unrecorded_change as unrecorded, head.number, head.key,
    case when head.number > ${known} then events_since(project.id, ${known}, ${feedLimits}) end as since,
    ${unnumbered} as unnumbered`
}
