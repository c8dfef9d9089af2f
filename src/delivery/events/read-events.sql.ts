import { type Cursor, formatCursor } from '../../model/events/cursor.ts'
import { type EventType, eventTypes } from '../../model/events/event-types.ts'
import { findFeedPosition } from '../../model/events/feed-position.sql.ts'
import { grants, type Scope } from '../../model/scopes.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { listing, sql } from '../../platform/database/sql.ts'
import { eventLimits } from '../limits.ts'
import type { CatalogEvent } from './event.schema.ts'
import { type EventRow, readEventData } from './event-data.sql.ts'

export type EventQuery = {
  after: Cursor
  /** All types if undefined. */
  types: readonly EventType[] | undefined
  /** Leaves out events of objects that these scopes cannot read. */
  scopes: readonly Scope[]
  limit: number
  /** Total size of the events; a single larger event is returned alone. */
  mostBytes: number
  /** Only objects in these partitions, numbered from 0. */
  partitions?: { numbers: readonly number[]; count: number }
}

export type EventBatch = {
  results: CatalogEvent[]
  /** The partition of each result, if partitions were requested. */
  partitions: (number | undefined)[]
  cursor: string
  head: string
}

/** Fewer than without partitions, because the partition of each object is calculated. */
const maxRowsByPartition = 1_000

/** Reads the next events after a cursor. Throws `feed_restarted` if the feed does not contain the cursor. */
export async function readEvents(
  database: Queryable,
  projectId: number,
  query: EventQuery,
): Promise<EventBatch> {
  const { after, limit, partitions } = query
  const { head, until } = await findFeedPosition(
    database,
    projectId,
    after,
    partitions ? maxRowsByPartition : eventLimits.searchedEvents,
  )
  const rows = await selectRows(database, projectId, query, until.number)
  const results: CatalogEvent[] = []
  let bytesLeft = query.mostBytes
  while (results.length < rows.length && bytesLeft > 0) {
    const batch = rows.slice(results.length, results.length + eventLimits.readEvents)
    const { events, bytes } = await readEventData(database, projectId, head.epoch, batch, bytesLeft)
    results.push(...events)
    bytesLeft = events.length < batch.length ? 0 : bytesLeft - bytes
  }
  const isCut = results.length < rows.length || rows.length === limit
  const cursor = (isCut && results.at(-1)?.cursor) || formatCursor(until)
  const found = rows.slice(0, results.length).map(({ partition }) => partition)
  return { results, partitions: found, cursor, head: formatCursor(head) }
}

function readableTypes(types: readonly EventType[] | undefined, scopes: readonly Scope[]): EventType[] {
  return [...eventTypes].flatMap(([type, scope]) =>
    types?.includes(type) !== false && grants(scopes, scope) ? [type] : [],
  )
}

async function selectRows(
  database: Queryable,
  projectId: number,
  { after, types, scopes, limit, partitions }: EventQuery,
  until: number,
): Promise<(EventRow & { partition?: number })[]> {
  const shown = readableTypes(types, scopes)
  if (shown.length === 0 || until === 0) return []
  const partitionOf =
    partitions &&
    sql`mod(hashtextextended(split_part(row.type, '.', 1) || changed.object_id, 0) & 9223372036854775807, ${partitions.count})::int`
  const isFiltered = partitions !== undefined && partitions.numbers.length < partitions.count
  const inPartitions = isFiltered ? sql`and ${partitionOf} = any(${partitions.numbers}::int[])` : sql``
  // Each row has at least one event, except the row of the cursor: only a filter by partition needs more rows than the limit.
  const rows = isFiltered ? maxRowsByPartition + 1 : limit + 1
  return database.query(
    listing(sql<EventRow & { partition?: number }>`
      select row.number, row.key, row.type, row.changed_at as timestamp, row.actor, row.source,
             changed.position::int as position, changed.object_id, changed.version
             ${partitionOf === undefined ? sql`` : sql`, ${partitionOf} as partition`}
      from (
        select * from event_feed
        where project_id = ${projectId} and number between ${after.number} and ${until} and type = any(${shown})
        order by number limit ${rows}
      ) as row
      cross join lateral unnest(row.object_ids, row.versions) with ordinality as changed (object_id, version, position)
      where (row.number, changed.position) > (${after.number}, ${after.position}) ${inPartitions}
      order by row.number, changed.position limit ${limit}`),
  )
}
