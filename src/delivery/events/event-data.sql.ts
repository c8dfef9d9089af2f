import { countProductChanges, countReadable } from '../../catalog/past-contents/change-budget.sql.ts'
import { shownAfter } from '../../catalog/past-contents/content-before.sql.ts'
import { formatCursor, shortUuid } from '../../model/events/cursor.ts'
import { objectKindOf } from '../../model/events/event-types.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { listing, sql } from '../../platform/database/sql.ts'
import { jsonbBytes } from '../../platform/database/statements/stored-bytes.ts'
import type { CatalogEvent } from './event.schema.ts'

/** An event before its data is read. */
export type EventRow = Omit<CatalogEvent, 'id' | 'cursor' | 'data'> & {
  number: number
  key: string
  position: number
  object_id: number
  version: number | null
}

/** Estimated size of an event without `before` and `after`. */
const otherFieldsBytes = 500

type DataRow = {
  sku: string | null
  changed_at: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  bytes: number
}

/** Reads the data of as many events as fit the size and time limits, but at least one. Events of deleted objects have no data. */
export async function readEventData(
  database: Queryable,
  projectId: number,
  epoch: string,
  rows: readonly EventRow[],
  mostBytes: number,
): Promise<{ events: CatalogEvent[]; bytes: number }> {
  const found = await selectData(
    database,
    projectId,
    await withinChangeLimit(database, projectId, rows),
    mostBytes,
  )
  const events = found.map((data, index) => describeEvent(epoch, rows[index] as EventRow, data))
  return { events, bytes: found.reduce((sum, { bytes }) => sum + bytes, 0) }
}

/** The first rows, as many as one statement can read without exceeding the limit of product changes. */
async function withinChangeLimit(
  database: Queryable,
  projectId: number,
  rows: readonly EventRow[],
): Promise<readonly EventRow[]> {
  const isCreated = ({ type }: EventRow) => type === 'product.created'
  const created = rows.filter(isCreated).map(({ object_id }) => object_id)
  const changes = await countProductChanges(database, projectId, created)
  return rows.slice(
    0,
    countReadable(rows.map((row) => (isCreated(row) ? (changes.get(row.object_id) ?? 0) : 0))),
  )
}

function describeEvent(
  epoch: string,
  row: EventRow,
  { sku, changed_at, before, after }: DataRow,
): CatalogEvent {
  const { number, key, position, type, timestamp, actor, source, object_id: id, version } = row
  return {
    id: `evt_${key.replaceAll('-', '')}_${position}`,
    cursor: formatCursor({ epoch, number, key: shortUuid(key), position }),
    type,
    timestamp: changed_at ?? timestamp,
    actor,
    source,
    data: {
      object: objectKindOf(type),
      id,
      sku,
      version: isStock(row) ? null : version,
      before,
      after,
    },
  }
}

function isStock({ type }: EventRow): boolean {
  return type === 'product.stock_changed'
}

/** Where the data of the event is stored. */
function dataSourceOf(row: EventRow): 'adjustments' | 'history' | 'feed' {
  if (isStock(row)) return 'adjustments'
  return objectKindOf(row.type) === 'product' ? 'history' : 'feed'
}

/** Returns the data in the order of the rows. The lateral joins force one index lookup per row, whatever the statistics say. */
function selectData(
  database: Queryable,
  projectId: number,
  rows: readonly EventRow[],
  mostBytes: number,
): Promise<DataRow[]> {
  const column = (value: (row: EventRow) => unknown) => rows.map(value)
  return database.query(
    listing(sql<DataRow>`
      with wanted as materialized (
        select * from unnest(${column(dataSourceOf)}::text[], ${column(({ object_id }) => object_id)}::bigint[],
          ${column(({ version }) => version)}::bigint[], ${column(({ number }) => number)}::bigint[],
          ${column(({ position }) => position)}::bigint[]) with ordinality as wanted (source, id, version, number, position, place)
      ), details as materialized (
        select row.number, object.position, object.details
        from event_feed as row cross join lateral unnest(row.details) with ordinality as object (details, position)
        where row.project_id = ${projectId} and row.number = any(array(select distinct number from wanted where source = 'feed'))
          and (row.number, object.position) in (select number, position from wanted)
      ), found as (
        select wanted.place, product.sku, data.*,
               coalesce(${jsonbBytes(sql`data.before`)}, 0) + coalesce(${jsonbBytes(sql`data.after`)}, 0) + ${otherFieldsBytes}::int as bytes
        from wanted
        left join lateral (
          select sku from products where wanted.source <> 'feed' and project_id = ${projectId} and products.id = wanted.id limit 1
        ) as product on true
        left join lateral (
          (select changed_at, before, ${shownAfter('change')} as after from product_history as change
           where wanted.source = 'history' and change.project_id = ${projectId} and change.product_id = wanted.id
             and change.version = wanted.version limit 1)
          union all
          (select created_at, null, jsonb_build_object('delta', delta, 'quantity', quantity, 'reason', reason)
           from inventory_adjustments as adjustment
           where wanted.source = 'adjustments' and adjustment.project_id = ${projectId} and adjustment.product_id = wanted.id
             and adjustment.id = wanted.version limit 1)
          union all
          (select null, nullif(details.details -> 'before', 'null'), nullif(details.details -> 'after', 'null')
           from details where wanted.source = 'feed' and details.number = wanted.number and details.position = wanted.position limit 1)
        ) as data on true
      ), measured as (
        select *, sum(bytes) over (order by place) - bytes as bytes_before from found
      )
      select sku, changed_at, before, after, bytes from measured where bytes_before < ${mostBytes} order by place`),
  )
}
