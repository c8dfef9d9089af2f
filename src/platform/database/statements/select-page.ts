import type { Queryable } from '../database.ts'
import { broad, planEachTime, type Sql, sql } from '../sql.ts'

export type PageRequest = { number: number | 'last'; size: number }

export type Page<Row> = {
  count: number
  results: Row[]
  /** The size of each row, if the rows exceeded their limit and the page has no results. */
  withheld?: number[]
  /** If set, `withheld` contains the number of changes behind each row instead, and this is the limit for a page. */
  maxChanges?: number
}

/** The limit for rows that can be large: the size of a row of `page`, and the maximum size of a page. */
export type PageBound = { rowBytes: Sql; maxBytes: number }

/** A row of the page as its statement returns it. */
export type PagedRow<Row> = Row & { count: number; withheld: number[] | null }

type PagedSelect = {
  columns: Sql
  from: Sql
  where: Sql
  orderBy: Sql
  page: PageRequest
  /** Whether very many rows can match. */
  isBroad?: boolean
  bound?: PageBound
  /** Columns that are joined only for the rows of the page, which are called `found`, not for skipped rows. */
  extra?: { columns: Sql; join: Sql }
}

/** One page and the exact count of all rows. One statement, so both come from one snapshot. */
export async function selectPage<Row>(
  database: Queryable,
  { columns, from, where, orderBy, page, isBroad = false, bound, extra }: PagedSelect,
): Promise<Page<Row>> {
  const offset =
    page.number === 'last'
      ? sql`(select greatest(0, (count - 1) / ${page.size}::int * ${page.size}::int) from total)`
      : sql`${(page.number - 1) * page.size}::bigint`
  const numbered = sql`
    select numbered.*, row_number() over () as place from (
      select ${columns} from ${from} where ${where} order by ${orderBy} limit ${page.size}::int offset ${offset}
    ) as numbered`
  const rowsOfPage =
    extra === undefined
      ? numbered
      : sql`select found.*, ${extra.columns} from (${numbered}) as found ${extra.join}`
  const statement = sql<PagedRow<Row & Numbered>>`
    with total as materialized (select count(*) as count from ${from} where ${where})
    ${countAndRows(rowsOfPage, sql`page.place`, bound)}`
  const rows = await database.query(isBroad ? broad(planEachTime(statement)) : planEachTime(statement))
  const { results, ...found } = asPage(rows, ({ place }) => place !== null)
  // Removes the helper columns of the statement.
  return {
    ...found,
    results: results.map(({ count: _c, place: _p, withheld: _w, row_bytes: _b, ...row }) => row as Row),
  }
}

type Numbered = { place: number | null; row_bytes?: number }

/**
 * The end of a page's statement, after its `total`: the count with each row, or alone. If all rows together exceed their
 * limit, they are withheld before any of them is read completely. A single row never is.
 */
export function countAndRows(rows: Sql, order: Sql, bound: PageBound | undefined): Sql {
  if (bound === undefined)
    return sql`select total.count, page.* from total left join (${rows}) as page on true order by ${order}`
  return sql`,
    page as materialized (select page.*, ${bound.rowBytes} as row_bytes from (${rows}) as page),
    size as materialized (
      select array_agg(row_bytes order by ${order}) as withheld from page
      having sum(row_bytes) > ${bound.maxBytes}::bigint and count(*) > 1
    )
    select total.count, size.withheld, page.*
    from total left join size on true left join page on size.withheld is null
    order by ${order}`
}

/** A statement that finds no row returns the count with a row of nulls. */
export function asPage<Row>(rows: PagedRow<Row>[], isFound: (row: Row) => boolean): Page<PagedRow<Row>> {
  const [first] = rows
  return {
    count: first?.count ?? 0,
    results: first === undefined || !isFound(first) ? [] : rows,
    ...(first?.withheld && { withheld: first.withheld }),
  }
}
