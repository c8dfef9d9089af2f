import type { Queryable } from './database.ts'
import { broad, plannedAnew, type Sql, sql } from './sql.ts'

export type PageRequest = { number: number | 'last'; size: number }
export type Page<Row> = { count: number; results: Row[] }

type PagedSelect = {
  columns: Sql
  from: Sql
  where: Sql
  orderBy: Sql
  page: PageRequest
  /** Whether the rows that match may be very many. */
  isBroad?: boolean
}

/** One page and the exact count of all rows. One statement, so both come from one snapshot. */
export async function selectPage<Row>(
  database: Queryable,
  { columns, from, where, orderBy, page, isBroad = false }: PagedSelect,
): Promise<Page<Row>> {
  const offset =
    page.number === 'last'
      ? sql`(select greatest(0, (count - 1) / ${page.size}::int * ${page.size}::int) from total)`
      : sql`${(page.number - 1) * page.size}::bigint`
  const statement = sql<Row & { count: number; position: number | null }>`
    with total as materialized (select count(*) as count from ${from} where ${where}),
    page as (
      select numbered.*, row_number() over () as position from (
        select ${columns} from ${from} where ${where} order by ${orderBy} limit ${page.size}::int offset ${offset}
      ) as numbered
    )
    select total.count, page.* from total left join page on true order by page.position`
  const rows = await database.query(isBroad ? broad(plannedAnew(statement)) : plannedAnew(statement))
  return {
    count: rows[0]?.count ?? 0,
    results: rows
      .filter(({ position }) => position !== null)
      .map(({ count: _count, position: _position, ...row }) => row as Row),
  }
}
