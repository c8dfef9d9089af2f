import { largeBytes } from '../../../model/product/product-columns.ts'
import type { ProductRow } from '../../../model/product/product-row.ts'
import type { View } from '../../../model/views/views.ts'
import { empty, join, raw, type Sql, sql } from '../../../platform/database/sql.ts'
import {
  asPage,
  countAndRows,
  type Page,
  type PagedRow,
} from '../../../platform/database/statements/select-page.ts'
import { jsonbBytes } from '../../../platform/database/statements/stored-bytes.ts'
import { detailColumns } from '../product.sql.ts'
import type { Product } from '../product-list.schema.ts'
import type { Leveled } from './explain-match.ts'
import { excerptColumns, levelColumns, type Ranking } from './relevance.sql.ts'

/** What a statement returns for a page: the items as text, or the rows for details. */
export type PageForm<Found> = {
  columns: Sql
  /** The end of the statement, after its `total`, with the rows of the page as `page`. */
  select(rows: Sql, order: Sql): Sql
  read(rows: never[]): Found
  /** Whether the rows can be large: point reads do not wait for such statements. */
  isLarge: boolean
}

/** The total count, and the items of the page as JSON, separated by commas. */
export type ItemTexts = { count: number; items: string }

/**
 * The seven fields of ProductSchema, in order. PostgreSQL writes the JSON, which is sent unchanged: parsing and serializing twenty rows
 * would take longer than the rest of the request.
 */
const item = itemOf(sql`page.name`, sql`page.status`)

function itemOf(name: Sql, status: Sql): Sql {
  return sql`
  '{"id":' || page.id || ',"sku":' || to_json(page.sku) || ',"name":' || to_json(${name})
  || ',"status":"' || ${status} || '","product_type":"' || page.product_type
  || '","created_at":"' || to_char(page.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","project":' || page.project || '}'`
}

const itemColumns = sql`
    product.id, product.sku, product.name, product.status, product.product_type, product.created_at,
    product.project_id as project`

export const itemTexts: PageForm<ItemTexts> = {
  columns: itemColumns,
  select: (rows, order) => sql`
    select total.count, (select coalesce(string_agg(${item}, ',' order by ${order}), '') from (${rows}) as page) as items
    from total`,
  read: ([{ count, items } = { count: 0, items: '' }]: ItemTexts[]) => ({ count, items }),
  isLarge: false,
}

/** The same items with the names and statuses of a view: the first value in its chain. */
export function itemTextsIn({ chain }: Pick<View, 'chain'>): PageForm<ItemTexts> {
  const values = (column: string, field: string) =>
    join(chain.map((code) => sql`${raw(column)} -> ${code}::text ->> ${raw(`'${field}'`)}`))
  const name = sql`coalesce(${values('page.views', 'name')}, page.name)`
  const status = sql`case when page.status = 'archived' then page.status
    else coalesce(${values('page.view_offers', 'status')}, page.status) end`
  return {
    ...itemTexts,
    columns: sql`${itemColumns}, product.views, product.view_offers`,
    select: (rows, order) => sql`
    select total.count, (select coalesce(string_agg(${itemOf(name, status)}, ',' order by ${order}), '') from (${rows}) as page) as items
    from total`,
  }
}

/** The computed part of a product detail in a response, approximately; mostly the explained score. */
const describedBytes = 2_500
const detailBytes = sql`(
  ${largeBytes('page')} + octet_length(page.categories::text) + ${jsonbBytes(sql`page.provenance`)} + ${describedBytes}::int)`

/** The rows of list items, with the levels of their matches and the parts of long texts that match. */
export function matchedItems(ranking: Ranking): PageForm<Page<Product & Leveled>> {
  const excerpts = ranking.isInTexts ? sql`, ${excerptColumns(ranking)}` : empty
  return {
    columns: sql`${itemColumns}, ${levelColumns(ranking)} ${excerpts}`,
    select: (rows, order) => countAndRows(rows, order, undefined),
    read: (rows: PagedRow<Product & Leveled>[]) => asPage(rows, ({ id }) => id !== null),
    isLarge: false,
  }
}

/** Rows for details, with the levels of their matches if there is a ranking. */
export function detailRows(
  maxBytes: number,
  ranking?: Ranking,
): PageForm<Page<ProductRow & Partial<Leveled>>> {
  return {
    columns: ranking === undefined ? detailColumns : sql`${detailColumns}, ${levelColumns(ranking)}`,
    select: (rows, order) => countAndRows(rows, order, { rowBytes: detailBytes, maxBytes }),
    read: (rows: PagedRow<ProductRow & Partial<Leveled>>[]) => asPage(rows, ({ id }) => id !== null),
    isLarge: true,
  }
}
