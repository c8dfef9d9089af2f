import { advisoryLocks } from '../../platform/database/advisory-locks.ts'
import type { Writable } from '../../platform/database/database.ts'
import { DatabaseFailure, isLockedOut } from '../../platform/database/failures.ts'
import { sql } from '../../platform/database/sql.ts'
import { eventLimits } from '../limits.ts'

const { numberedEvents } = eventLimits

/**
 * Moves what is committed from the outbox into the feed, and returns the projects that have something new. A row that is in the
 * outbox was never numbered, and a statement sees only what is committed: whoever commits late gets a later number, and a number
 * is given only once. Projects have numbers of their own. Where somebody else numbers just now, that is waited for, or left to them.
 */
export async function numberEvents(database: Writable, patienceMilliseconds = 0): Promise<number[]> {
  const projects = new Set<number>()
  if (!(await hasUnnumbered(database))) return []
  for (let numbered: number = numberedEvents; numbered === numberedEvents; ) {
    const found = await numberSome(database, patienceMilliseconds)
    for (const project of found.projects) projects.add(project)
    numbered = found.numbered
  }
  return [...projects]
}

/** Numbers everything that was committed before the call: a process that is numbering at the same time is waited for. */
export async function numberCommitted(database: Writable): Promise<void> {
  try {
    await numberEvents(database, eventLimits.numberingMilliseconds)
  } catch (error) {
    throw isLockedOut(error) ? new DatabaseFailure('too_busy', error) : error
  }
}

/** Null where nobody knows, and where it is of another server: it is ahead of this one. */
const seen = sql`(select seen from event_numbering where pg_snapshot_xmax(seen) <= pg_snapshot_xmax(pg_current_snapshot()))`

/**
 * Which rows may be unnumbered: those of transactions that began after `seen`, or had not ended then. Numbered rows of others are
 * not looked at, however long a transaction keeps them in the table.
 */
export const isUnnumbered = sql`(xid >= coalesce(pg_snapshot_xmax(${seen}), '0') or xid = any(array(select pg_snapshot_xip(${seen}))))`

async function hasUnnumbered(database: Writable): Promise<boolean> {
  const [row] = await database.query(
    sql<{ found: boolean }>`select exists (select from event_outbox where ${isUnnumbered}) as found`,
  )
  return row?.found === true
}

function numberSome(
  database: Writable,
  patienceMilliseconds: number,
): Promise<{ numbered: number; projects: number[] }> {
  const isPatient = patienceMilliseconds > 0
  const limits = isPatient ? { lockTimeoutMilliseconds: patienceMilliseconds } : {}
  return database.transaction(async (tx) => {
    const [lock] = await tx.query(
      isPatient
        ? sql<{
            taken: boolean
          }>`select true as taken from pg_advisory_xact_lock(${advisoryLocks.eventNumbering})`
        : sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${advisoryLocks.eventNumbering}) as taken`,
    )
    // Whoever holds it numbers what there is.
    if (lock?.taken !== true) return { numbered: 0, projects: [] }
    // The rows of one transaction may be in the outbox before `seen` of another: what is left over keeps `seen` where it is.
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
          select coalesce(max(number), 0) as number from event_feed as told where told.project_id = taken.project_id
        ) as head
      ), moved as (
        update event_numbering set seen = pg_current_snapshot() where (select count(*) from taken) < ${numberedEvents}
          and ((select count(*) from taken) > 0 or seen is null)
      )
      select (select count(*) from taken)::int as numbered, (select coalesce(json_agg(distinct project_id), '[]') from taken) as projects`)
    return row ?? { numbered: 0, projects: [] }
  }, limits)
}
