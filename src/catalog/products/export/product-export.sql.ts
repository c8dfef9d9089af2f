import type { FieldValues } from '../../../model/fields/field-schemas.ts'
import type { ExportedProduct, ExportedView } from '../../../model/files/exported-product.ts'
import { fieldColumns, largeBytes } from '../../../model/product/product-columns.ts'
import { type ExportedMediaItem, exportMedia } from '../../../model/product/show-media.ts'
import type { Stock } from '../../../model/product/stock.ts'
import {
  type StoredViewValues,
  viewContentOf,
  viewsIn,
  withoutSources,
} from '../../../model/views/view-values.ts'
import type { Queryable, SnapshotReader } from '../../../platform/database/database.ts'
import { empty, join, raw, type Sql, sql } from '../../../platform/database/sql.ts'
import { fileLimits } from '../../limits.ts'
import { type Filters, matchingProducts } from '../product-filters.ts'
import { pathNamer } from './name-paths.ts'
import { namedBySku } from './named-by-sku.sql.ts'

/** A row with category IDs. */
type ExportedRow = Omit<FieldValues, 'categories'> &
  StoredViewValues & {
    id: number
    version: number
    categories: number[]
    inventory: Stock
  }

type SizedRow = { id: number; bytes: number; read?: ExportedProduct['read'] } & (
  | ExportedRow
  | { [Field in Exclude<keyof ExportedRow, 'id'>]: null }
)

/** A fetch returns complete products up to this size. For larger ones it returns the size, and they are read by ID. */
const smallBytes = 4 * 1024

const fields = fieldColumns.map(({ name, field, isPlain }) =>
  isPlain ? raw(`product.${name}`) : raw(`to_json(product.${name}) as ${field}`),
)
const lineColumns = sql`
  product.version, ${join(fields)},
  json_build_object('tracked', product.tracked, 'quantity', product.quantity, 'reserved', product.reserved,
    'low_stock_threshold', product.low_stock_threshold, 'backorders', product.backorders) as inventory`

const time = (column: 'created_at' | 'updated_at') =>
  raw(`to_char(product.${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
const readColumn = sql`json_build_object('id', product.id, 'quality_score', product.quality_score,
  'created_at', ${time('created_at')}, 'updated_at', ${time('updated_at')}) as read,`

/** Approximate size of a name and a path. */
const longCategory = 1_000
const bytes = sql`(${largeBytes('product')} + cardinality(product.category_ids) * ${longCategory}::int)`

/** Products ordered by ID, in batches that are smaller for large products. */
export async function* batchesOfLines(
  reader: SnapshotReader,
  projectId: number,
  filters: Filters,
  { hasRead, views }: { hasRead: boolean; views: readonly string[] },
): AsyncGenerator<ExportedProduct[]> {
  const columns = views.length === 0 ? lineColumns : sql`${lineColumns}, product.views, product.view_offers`
  const rows = reader.batches(
    sql<SizedRow>`
      select product.id, size.bytes, ${hasRead ? readColumn : empty} line.*
      from products as product cross join lateral (select ${bytes} as bytes) as size
      left join lateral (select ${columns}) as line on size.bytes <= ${smallBytes}::int
      where ${matchingProducts(projectId, filters)} order by product.id`,
    fileLimits.exportProducts,
  )
  const namePaths = pathNamer(reader, projectId)
  for await (const fetched of rows)
    for (const batch of batchesBySize(fetched)) {
      const whole = await wholeRows(reader, { projectId, columns, views }, batch)
      yield await namedBySku(reader, projectId, await namePaths(whole))
    }
}

function* batchesBySize(rows: SizedRow[]): Generator<SizedRow[]> {
  let batch: SizedRow[] = []
  let total = 0
  for (const row of rows) {
    if (batch.length > 0 && total + row.bytes > fileLimits.exportBytes) {
      yield batch
      batch = []
      total = 0
    }
    batch.push(row)
    total += row.bytes
  }
  if (batch.length > 0) yield batch
}

type ExportedLine = Omit<ExportedRow, 'media' | keyof StoredViewValues> &
  Pick<ExportedProduct, 'views' | 'read'> & { media: ExportedMediaItem[] }

type Reading = { projectId: number; columns: Sql; views: readonly string[] }

async function wholeRows(
  reader: Queryable,
  { projectId, columns, views: chosen }: Reading,
  batch: SizedRow[],
): Promise<ExportedLine[]> {
  const large = batch.filter(({ sku }) => sku === null).map(({ id }) => id)
  const found = large.length === 0 ? [] : await reader.query(selectLines(projectId, columns, large))
  const byId = new Map(found.map((line) => [line.id, line]))
  return batch.map(({ bytes: _bytes, read, ...line }) => {
    // Lines start with the SKU, as in all releases.
    const { id, version, views, view_offers, ...fields } = byId.get(line.id) ?? (line as ExportedRow)
    return {
      ...fields,
      media: exportMedia(fields.media),
      ...(chosen.length > 0 && { views: exportViews({ views, view_offers }, chosen) }),
      ...{ id, version, ...(read && { read }) },
    }
  })
}

function exportViews(stored: StoredViewValues, chosen: readonly string[]): Record<string, ExportedView> {
  const exported = [...viewsIn(viewContentOf(stored))]
    .filter(([code]) => chosen.includes(code))
    .map(([code, values]): [string, ExportedView] => {
      const { media, ...own } = withoutSources(values)
      return [code, media === undefined ? own : { ...own, media: exportMedia(media) }]
    })
  return Object.fromEntries(exported)
}

function selectLines(projectId: number, columns: Sql, ids: number[]) {
  return sql<ExportedRow>`
    select product.id, ${columns} from products as product
    where product.project_id = ${projectId} and product.id = any(${ids}::bigint[])`
}

/** Attribute names, those with the most products first. */
export async function mostUsedAttributes(
  database: Queryable,
  projectId: number,
  filters: Filters,
  limit: number,
): Promise<string[]> {
  const rows = await database.query(sql<{ name: string }>`
    select attribute.name from products as product, jsonb_object_keys(product.attributes) as attribute (name)
    where ${matchingProducts(projectId, filters)}
    group by attribute.name order by count(*) desc, attribute.name collate "C" limit ${limit}`)
  return rows.map(({ name }) => name)
}

/** Attributes in views, those with the most products first. */
export async function mostUsedInViews(
  database: Queryable,
  projectId: number,
  filters: Filters,
  views: readonly string[],
  limit: number,
): Promise<{ view: string; name: string }[]> {
  return database.query(sql<{ view: string; name: string }>`
    select view.code as view, attribute.name
    from products as product, jsonb_each(product.views) as view (code, values),
      jsonb_object_keys(view.values -> 'attributes') as attribute (name)
    where ${matchingProducts(projectId, filters)} and product.views is not null and view.code = any(${views}::text[])
    group by 1, 2 order by count(*) desc, 1, attribute.name collate "C" limit ${limit}`)
}
