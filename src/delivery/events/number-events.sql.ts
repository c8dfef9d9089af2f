import { isUnnumbered } from '../../model/events/unnumbered.sql.ts'
import { advisoryLocks } from '../../platform/database/advisory-locks.ts'
import type { TransactionLimits, Writable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { eventLimits } from '../limits.ts'

const { numberedEvents } = eventLimits

/**
 * Moves committed events from the outbox into the feed, and returns the projects with new events. Rows in the outbox are unnumbered, and a
 * statement sees only committed rows: late commits get later numbers, and each event is numbered once. Each project has its own
 * numbers. If `waitLimits` is given, even empty, the call waits for another process that is numbering. Otherwise, it leaves the work to
 * that process.
 */
export async function numberEvents(database: Writable, waitLimits?: TransactionLimits): Promise<number[]> {
  const projects = new Set<number>()
  if (!(await hasUnnumbered(database))) return []
  for (let numbered: number = numberedEvents; numbered === numberedEvents; ) {
    const found = await numberBatch(database, waitLimits)
    for (const project of found.projects) projects.add(project)
    numbered = found.numbered
  }
  return [...projects]
}

/** Numbers everything committed before the call. Waits for another process that is numbering. In the service, this wait has the same time limit as a write that waits for a lock. */
export async function numberCommitted(database: Writable, waitLimits: TransactionLimits = {}): Promise<void> {
  await numberEvents(database, waitLimits)
}

async function hasUnnumbered(database: Writable): Promise<boolean> {
  const [row] = await database.query(
    sql<{ found: boolean }>`select exists (select from event_outbox where ${isUnnumbered}) as found`,
  )
  return row?.found === true
}

function numberBatch(
  database: Writable,
  waitLimits: TransactionLimits | undefined,
): Promise<{ numbered: number; projects: number[] }> {
  return database.transaction(async (tx) => {
    const [lock] = await tx.query(
      waitLimits
        ? sql<{
            taken: boolean
          }>`select true as taken from pg_advisory_xact_lock(${advisoryLocks.eventNumbering})`
        : sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${advisoryLocks.eventNumbering}) as taken`,
    )
    // The process that holds the lock numbers the events.
    if (lock?.taken !== true) return { numbered: 0, projects: [] }
    // `seen` moves only if no rows are left: they may belong to transactions before it.
    const [row] = await tx.query(sql<{ numbered: number; projects: number[] }>`
      with taken as (
        delete from event_outbox where ctid = any(array(
          select ctid from event_outbox where ${isUnnumbered} order by id limit ${numberedEvents}))
        returning *
      ), numbered as (
        insert into event_feed (project_id, number, key, type, changed_at, actor, source, object_ids, versions, details)
        select project_id, head.number + row_number() over (partition by project_id order by id), key, type, changed_at, actor, source,
               object_ids, versions, details
        from taken cross join lateral (
          select coalesce(max(number), 0) as number from event_feed where event_feed.project_id = taken.project_id
        ) as head
      ), moved as (
        update event_numbering set seen = pg_current_snapshot() where (select count(*) from taken) < ${numberedEvents}
          and ((select count(*) from taken) > 0 or seen is null)
      )
      select (select count(*) from taken)::int as numbered, (select coalesce(json_agg(distinct project_id), '[]') from taken) as projects`)
    return row ?? { numbered: 0, projects: [] }
  }, waitLimits)
}
