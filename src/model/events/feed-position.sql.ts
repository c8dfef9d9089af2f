import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { Problem } from '../../platform/http/problems.ts'
import { type Cursor, formatCursor, shortUuid } from './cursor.ts'

type Row = { number: number; key: string; position: number }
type Place = { epoch: string; oldest: number | null; head: Row | null; read: Row | null; until: Row | null }

const epoch = sql`coalesce((select epoch from restores order by id desc limit 1), (select epoch from event_numbering))`
const lastOfRow = sql`json_build_object('number', number, 'key', key, 'position', cardinality(object_ids))`

/** The last event of the feed. */
export async function findFeedHead(database: Queryable, projectId: number): Promise<Cursor> {
  return (await findFeedPosition(database, projectId, undefined, 0)).head
}

/**
 * The last event of the feed, and the last event of the next rows after the cursor. Rejects a cursor that the feed does not contain:
 * one from another epoch, one beyond the head, one with another event in its position, or one that event retention has deleted.
 */
export async function findFeedPosition(
  database: Queryable,
  projectId: number,
  after: Cursor | undefined,
  rows: number,
): Promise<{ head: Cursor; until: Cursor }> {
  const number = after?.number ?? 0
  const [place] = await database.query(sql<Place>`
    with head as (
      select number, key, object_ids from event_feed where project_id = ${projectId} order by number desc limit 1
    ), oldest as (
      select number from event_feed where project_id = ${projectId} order by number limit 1
    )
    select ${epoch} as epoch, (select number from oldest) as oldest, (select ${lastOfRow} from head) as head,
           (select ${lastOfRow} from event_feed where project_id = ${projectId} and number = ${number}) as read,
           (select ${lastOfRow} from event_feed
            where project_id = ${projectId} and number = (
              select least(head.number, greatest(${number}::bigint, oldest.number - 1) + ${rows}) from head, oldest)) as until`)
  const { read } = place as Place
  const cursorAt = (row: Row | null): Cursor => ({
    epoch: shortUuid((place as Place).epoch),
    number: row?.number ?? 0,
    key: shortUuid(row?.key ?? '00000000'),
    position: row?.position ?? 0,
  })
  const head = cursorAt(place?.head ?? null)
  if (after !== undefined && !isInFeed(after, head, read))
    throw isExpired(after, head, place?.oldest ?? 0) ? cursorExpired(head) : feedRestarted(head)
  return { head, until: cursorAt(place?.until ?? null) }
}

function isInFeed(after: Cursor, head: Cursor, read: Row | null): boolean {
  if (after.epoch === '') return true
  if (after.epoch !== head.epoch) return false
  if (after.number === 0) return true
  return read !== null && shortUuid(read.key) === after.key && after.position <= read.position
}

function isExpired(after: Cursor, head: Cursor, oldest: number): boolean {
  return after.epoch === head.epoch && after.number < oldest
}

function cursorExpired(head: Cursor): Problem {
  return new Problem('cursor_expired', {
    detail: `The events after this cursor were deleted. Export the catalog and continue from after=${formatCursor(head)}, or read the remaining events with after=0.`,
  })
}

function feedRestarted(head: Cursor): Problem {
  return new Problem('feed_restarted', {
    detail: `The feed does not contain this cursor: the database was restored, moved or upgraded, or the cursor belongs to another project. Export the catalog and continue from after=${formatCursor(head)}, or read all events with after=0.`,
  })
}
