import type { Queryable } from '../../database/database.ts'
import {
  asPage,
  countAndRows,
  type Page,
  type PageBound,
  type PagedRow,
  type PageRequest,
} from '../../database/select-page.ts'
import { broad, plannedAnew, raw, type Sql, sql } from '../../database/sql.ts'
import { orderBy } from '../../http/request/ordering.ts'
import { type Counted, countOf, rangeCounts } from './counted-page.sql.ts'

type SortedPage = {
  columns: Sql
  bound: PageBound | undefined
  where: Sql
  ordering: string
  page: PageRequest
}

/** A page so far from both ends skips many entries of an index: it counts among the broad statements. */
const deepOffset = 10_000

/**
 * A page in another order than that of ids, of products that are counted by their filters. The count comes from the kept
 * counts; the page is reached along an index, from the nearer end, and only its own rows are read whole.
 */
export async function selectSortedPage<Row>(
  database: Queryable,
  counted: Counted,
  { columns, bound, where, ordering, page }: SortedPage,
): Promise<Page<Row>> {
  const order = orderBy('product', ordering, ['price'])
  const { number, size } = page
  const first =
    number === 'last'
      ? sql`greatest(0, (count - 1) / ${size}::bigint * ${size}::bigint)`
      : sql`${(number - 1) * size}::bigint`
  const found = sql`
    select ${columns}, row_number() over (order by ${order}) as position
    from ids join products as product on product.project_id = ${counted.projectId} and product.id = ids.id`
  const statement = plannedAnew(sql<PagedRow<Row & { id: number | null }>>`
    with total as materialized (
      select coalesce(sum(${countOf(counted)}), 0)::bigint as count from ${rangeCounts(counted, 16)}
    ), wanted as materialized (
      select first, least(${size}::bigint, greatest(0, count - first)) as length, first > count / 2 as from_end, count
      from (select ${first} as first, count from total) as place
    ), ids as materialized (
      (select product.id from products as product where ${where} order by ${order}
       limit (select case when from_end then 0 else length end from wanted) offset (select first from wanted))
      union all
      (select product.id from products as product where ${where} order by ${orderBy('product', ordering, ['price'], true)}
       limit (select case when from_end then length else 0 end from wanted)
       offset (select greatest(0, count - first - length) from wanted))
      -- No more than these anyway; said so that the planner knows.
      limit ${size}
    )
    ${countAndRows(found, sql`page.position`, bound)}`)
  const isDeep = number === 'last' || (number - 1) * size > deepOffset
  const rows = await database.query(isDeep ? broad(statement) : statement)
  return asPage(rows, ({ id }) => id !== null)
}

/** A page of what a search finds, and the count of all of it. It is found once, and counted and sorted from there. */
export async function selectSearchedPage<Row>(
  database: Queryable,
  projectId: number,
  { columns, bound, where, ordering, page: { number, size } }: SortedPage,
): Promise<Page<Row>> {
  const order = orderBy('product', ordering, ['price'])
  const fields = new Set(['id', ...ordering.split(',').map((term) => term.replace(/^-/, ''))])
  const sorted = raw([...fields].map((field) => `product.${field}`).join(', '))
  const first =
    number === 'last'
      ? sql`(select greatest(0, (count - 1) / ${size}::bigint * ${size}::bigint) from total)`
      : sql`${(number - 1) * size}::bigint`
  const pageOfFound = sql`
    select ${columns}, ids.position
    from ids join products as product on product.project_id = ${projectId} and product.id = ids.id`
  const statement = sql<PagedRow<Row & { id: number | null }>>`
    with found as materialized (select ${sorted} from products as product where ${where}),
    total as materialized (select count(*) as count from found),
    ids as materialized (
      select product.id, row_number() over () as position
      from (select * from found as product order by ${order} limit ${size}::int offset ${first}) as product
    )
    ${countAndRows(pageOfFound, sql`page.position`, bound)}`
  const rows = await database.query(broad(plannedAnew(statement)))
  return asPage(rows, ({ id }) => id !== null)
}
