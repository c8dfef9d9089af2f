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
import type { ProductQuery } from '../product.schema.ts'

type SearchedPage = {
  columns: Sql
  bound: PageBound | undefined
  where: Sql
  ordering: string
  page: PageRequest
}

const searchedBy: (keyof ProductQuery)[] = ['search', 'name__icontains', 'attributes', 'quality_rule']

/** Whether a filter looks into texts or attributes: finding what matches is then most of the work. */
export function isSearch(filters: ProductQuery): boolean {
  return searchedBy.some((name) => filters[name] !== undefined)
}

/** A page of what a search finds, and the count of all of it. It is found once, and counted and sorted from there. */
export async function selectSearchedPage<Row>(
  database: Queryable,
  projectId: number,
  { columns, bound, where, ordering, page: { number, size } }: SearchedPage,
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
