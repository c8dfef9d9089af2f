import { type Cursor, formatCursor } from '../../model/events/cursor.ts'
import { type EventType, eventTypes } from '../../model/events/event-types.ts'
import { findFeedPosition } from '../../model/events/feed-position.sql.ts'
import { grants, type Scope } from '../../model/scopes.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { listing, sql } from '../../platform/database/sql.ts'
import { eventLimits } from '../limits.ts'
import type { CatalogEvent } from './event.schema.ts'
import { type EventRow, readEventData } from './event-data.sql.ts'

export type EventsAsked = {
  after: Cursor
  /** All types where there are none. */
  types: readonly EventType[] | undefined
  /** Events of other objects than these scopes show are left out. */
  scopes: readonly Scope[]
  limit: number
  /** Of the events together; one that is larger comes alone. */
  mostBytes: number
  /** Keeps the objects of some lanes, from 0. */
  lanes?: { numbers: readonly number[]; of: number }
}

export type EventsRead = {
  results: CatalogEvent[]
  /** Of each result, where lanes were asked for. */
  lanes: (number | undefined)[]
  cursor: string
  head: string
}

/** Fewer than without lanes, for each of their objects is looked at. */
const mostRowsOfLanes = 1_000

/** The next events after the cursor, and how far was looked for them. Throws `feed_restarted` where the feed does not hold the cursor. */
export async function readEvents(
  database: Queryable,
  projectId: number,
  asked: EventsAsked,
): Promise<EventsRead> {
  const { after, limit, lanes } = asked
  const { head, until } = await findFeedPosition(
    database,
    projectId,
    after,
    lanes ? mostRowsOfLanes : eventLimits.searchedEvents,
  )
  const rows = await selectRows(database, projectId, asked, until.number)
  const results: CatalogEvent[] = []
  let bytesLeft = asked.mostBytes
  while (results.length < rows.length && bytesLeft > 0) {
    const batch = rows.slice(results.length, results.length + eventLimits.readEvents)
    const { events, bytes } = await readEventData(database, projectId, head.epoch, batch, bytesLeft)
    results.push(...events)
    bytesLeft = events.length < batch.length ? 0 : bytesLeft - bytes
  }
  const isCut = results.length < rows.length || rows.length === limit
  const cursor = (isCut && results.at(-1)?.cursor) || formatCursor(until)
  const laneOf = rows.slice(0, results.length).map(({ lane }) => lane)
  return { results, lanes: laneOf, cursor, head: formatCursor(head) }
}

function shownTypes(types: readonly EventType[] | undefined, scopes: readonly Scope[]): EventType[] {
  return [...eventTypes].flatMap(([type, scope]) =>
    types?.includes(type) !== false && grants(scopes, scope) ? [type] : [],
  )
}

async function selectRows(
  database: Queryable,
  projectId: number,
  { after, types, scopes, limit, lanes }: EventsAsked,
  until: number,
): Promise<(EventRow & { lane?: number })[]> {
  const shown = shownTypes(types, scopes)
  if (shown.length === 0 || until === 0) return []
  const laneOf =
    lanes &&
    sql`mod(hashtextextended(split_part(row.type, '.', 1) || changed.object_id, 0) & 9223372036854775807, ${lanes.of})::int`
  const isFiltered = lanes !== undefined && lanes.numbers.length < lanes.of
  const inLanes = isFiltered ? sql`and ${laneOf} = any(${lanes.numbers}::int[])` : sql``
  // Each row has an event at least, but for the one that the cursor is in: more rows than the limit are needed by lanes alone.
  const rows = isFiltered ? mostRowsOfLanes + 1 : limit + 1
  return database.query(
    listing(sql<EventRow & { lane?: number }>`
      select row.number, row.key, row.type, row.changed_at as timestamp, row.actor, row.source,
             changed.position::int as position, changed.object_id, changed.version
             ${laneOf === undefined ? sql`` : sql`, ${laneOf} as lane`}
      from (
        select * from event_feed
        where project_id = ${projectId} and number between ${after.number} and ${until} and type = any(${shown})
        order by number limit ${rows}
      ) as row
      cross join lateral unnest(row.object_ids, row.versions) with ordinality as changed (object_id, version, position)
      where (row.number, changed.position) > (${after.number}, ${after.position}) ${inLanes}
      order by row.number, changed.position limit ${limit}`),
  )
}
