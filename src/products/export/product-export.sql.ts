import type { Queryable, SnapshotReader } from '../../database/database.ts'
import { join, raw, sql } from '../../database/sql.ts'
import { fieldColumns, largeBytes } from '../product-columns.ts'
import type { FieldValues } from '../product-fields.ts'
import { matching } from '../product-filters.ts'
import type { ProductQuery } from '../product-list.schema.ts'
import type { Stock } from '../stock.ts'

/** A product as a push would take it. */
export type ProductLine = Omit<FieldValues, 'categories'> & {
  categories: { name: string; path: string[] }[]
  inventory: Stock
}

type SizedRow = { id: number; bytes: number } & (ProductLine | { [Field in keyof ProductLine]: null })

const rowsPerFetch = 200
/** A fetch brings products up to this size whole; of larger ones it brings the size, and they are read by their ids. */
const smallBytes = 4 * 1024
const bytesPerBatch = 512 * 1024

// Most categories stand at the root, and need no walk.
const categoryNames = sql`
  coalesce((
    select json_agg(json_build_object('name', category.name, 'path', case
      when category.parent_id is null then array[category.name] else category_path(category.project_id, category.id)
    end) order by array_position(product.category_ids, category.id))
    from categories as category
    where category.project_id = product.project_id and category.id = any(product.category_ids)
  ), '[]') as categories`

const fields = fieldColumns.map(({ name, isPlain }) => (isPlain ? raw(`product.${name}`) : categoryNames))
const lineColumns = sql`
  ${join(fields)},
  json_build_object('tracked', product.tracked, 'quantity', product.quantity, 'reserved', product.reserved,
    'low_stock_threshold', product.low_stock_threshold, 'backorders', product.backorders) as inventory`

/** A name, and a path of some names. */
const longCategory = 1_000
const bytes = sql`(${largeBytes('product')} + cardinality(product.category_ids) * ${longCategory}::int)`

/** Products in the order of their ids, some at a time: few where they are large. */
export async function* batchesOfLines(
  reader: SnapshotReader,
  projectId: number,
  filters: ProductQuery,
): AsyncGenerator<ProductLine[]> {
  const rows = reader.batches(
    sql<SizedRow>`
      select product.id, size.bytes, line.*
      from products as product cross join lateral (select ${bytes} as bytes) as size
      left join lateral (select ${lineColumns}) as line on size.bytes <= ${smallBytes}::int
      where ${matching(projectId, filters)} order by product.id`,
    rowsPerFetch,
  )
  for await (const fetched of rows)
    for (const batch of batchesBySize(fetched)) yield await wholeLines(reader, projectId, batch)
}

function* batchesBySize(rows: SizedRow[]): Generator<SizedRow[]> {
  let batch: SizedRow[] = []
  let total = 0
  for (const row of rows) {
    if (batch.length > 0 && total + row.bytes > bytesPerBatch) {
      yield batch
      batch = []
      total = 0
    }
    batch.push(row)
    total += row.bytes
  }
  if (batch.length > 0) yield batch
}

async function wholeLines(reader: Queryable, projectId: number, batch: SizedRow[]): Promise<ProductLine[]> {
  const large = batch.filter(({ sku }) => sku === null).map(({ id }) => id)
  const found = large.length === 0 ? [] : await reader.query(selectLines(projectId, large))
  const byId = new Map(found.map(({ id, ...line }) => [id, line as ProductLine]))
  return batch.map(({ id, bytes: _bytes, ...line }) => byId.get(id) ?? (line as ProductLine))
}

function selectLines(projectId: number, ids: number[]) {
  return sql<ProductLine & { id: number }>`
    select product.id, ${lineColumns} from products as product
    where product.project_id = ${projectId} and product.id = any(${ids}::bigint[])`
}

/** Names of attributes, those that most products have first. */
export async function mostUsedAttributes(
  database: Queryable,
  projectId: number,
  filters: ProductQuery,
  limit: number,
): Promise<string[]> {
  const rows = await database.query(sql<{ name: string }>`
    select attribute.name from products as product, jsonb_object_keys(product.attributes) as attribute (name)
    where ${matching(projectId, filters)}
    group by attribute.name order by count(*) desc, attribute.name collate "C" limit ${limit}`)
  return rows.map(({ name }) => name)
}
