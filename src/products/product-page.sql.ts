import type { Queryable } from '../database/database.ts'
import type { Page, PageRequest } from '../database/paged.ts'
import { raw, type Sql, sql } from '../database/sql.ts'
import { type Counted, countedIds, rangeCounts } from './product-counts.sql.ts'

type CountedPage = { columns: Sql; page: PageRequest; descending: boolean }

/**
 * Any page in the order of ids, with the exact count, at the same price for all: the counts of the ranges of ids tell
 * where the page begins, to within 2,048 ids. One statement, so that all comes from one snapshot.
 */
export async function selectCountedPage<Row>(
  database: Queryable,
  counted: Counted,
  { columns, page, descending }: CountedPage,
): Promise<Page<Row>> {
  const ids = page.number === 1 ? firstIds(counted, page.size, descending) : idsAt(counted, page, descending)
  const rows = await database.query(sql<Row & { count: number; id: number | null }>`
    with coarse as materialized (${rangeCounts(counted, 16)} group by range),
    total as (select coalesce(sum(count), 0)::bigint as count from coarse),
    ${ids}
    select total.count, ${columns}
    from total left join ids on true
    left join products as product on product.project_id = ${counted.projectId} and product.id = ids.id
    order by ids.id ${direction(descending)}`)
  return { count: rows[0]?.count ?? 0, results: rows[0]?.id === null ? [] : rows }
}

function direction(descending: boolean): Sql {
  return raw(descending ? 'desc' : 'asc')
}

function firstIds(counted: Counted, size: number, descending: boolean): Sql {
  return sql`ids as (${countedIds(counted)} order by id ${direction(descending)} limit ${size})`
}

/** Ascending even for a list that descends: its page is the same ids from the other end. */
function idsAt(counted: Counted, page: PageRequest, descending: boolean): Sql {
  return sql`
    wanted as (select ${firstPosition(page, descending)} as first, ${lengthOf(page, descending)} as length from total),
    coarse_place as (
      select range, before
      from (select range, count, sum(count) over (order by range) - count as before from coarse) as sums, wanted
      where before <= first and first < before + count
    ), fine as (
      select fine.range, fine.count, before + sum(fine.count) over (order by fine.range) - fine.count as before
      from coarse_place, lateral (
        ${rangeCounts(counted, 11)} and range between coarse_place.range << 5 and (coarse_place.range << 5) + 31 group by range
      ) as fine
    ), start as (
      select (
        select id from (${countedIds(counted)}) as counted
        where id >= range << 11 and id < (range + 1) << 11 order by id limit 1 offset first - before
      ) as id
      from fine, wanted where before <= first and first < before + count
    ), ids as (
      select id from (${countedIds(counted)}) as counted
      where id >= (select id from start) order by id limit (select length from wanted)
    )`
}

/** Position of the page's lowest id, from 0. Past the end it is a place that holds nothing. */
function firstPosition({ number, size }: PageRequest, descending: boolean): Sql {
  if (descending) return sql`greatest(0, ${endPosition({ number, size })} - ${size}::bigint)`
  if (number === 'last') return sql`greatest(0, (count - 1) / ${size}::bigint * ${size}::bigint)`
  return sql`${(number - 1) * size}::bigint`
}

function lengthOf(page: PageRequest, descending: boolean): Sql {
  if (!descending) return sql`${page.size}::bigint`
  const end = endPosition(page)
  return sql`greatest(0, ${end} - greatest(0, ${end} - ${page.size}::bigint))`
}

/** Of a page that counts from the highest id: the position after its highest. */
function endPosition({ number, size }: PageRequest): Sql {
  if (number === 'last') return sql`(count - greatest(0, (count - 1) / ${size}::bigint * ${size}::bigint))`
  return sql`(count - ${(number - 1) * size}::bigint)`
}
