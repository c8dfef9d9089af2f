import type { Queryable } from '../../database/database.ts'
import {
  asPage,
  countAndRows,
  type Page,
  type PageBound,
  type PagedRow,
  type PageRequest,
} from '../../database/select-page.ts'
import { join, listing, raw, type Sql, sql } from '../../database/sql.ts'
import { type ProductType, productTypes, type Status, statuses } from '../product-fields.ts'

/** What the counts of migrations/0006 tell products apart by. Category 0 is the whole project. */
export type Counted = { projectId: number; category: number; statuses: Status[]; types: ProductType[] }

type CountedPage = { columns: Sql; bound: PageBound | undefined; page: PageRequest; descending: boolean }

/**
 * Any page in the order of ids, with the exact count, at the same price for all: the counts of the ranges of ids tell
 * where the page begins, to within 2,048 ids. One statement, so that all comes from one snapshot.
 */
export async function selectCountedPage<Row>(
  database: Queryable,
  counted: Counted,
  { columns, bound, page, descending }: CountedPage,
): Promise<Page<Row>> {
  const isFirst = page.number === 1
  const order = raw(descending ? 'desc' : 'asc')
  const found = isFirst ? firstRows(counted, columns, order, page.size) : rowsFrom(counted, columns)
  const statement = sql<PagedRow<Row & { id: number | null }>>`
    with total as materialized (
      select coalesce(sum(${countOf(counted)}), 0)::bigint as count from ${rangeCounts(counted, 16)}
    ) ${isFirst ? sql`` : placeOf(counted, page, descending)}
    ${countAndRows(found, sql`page.id ${order}`, bound)}`
  // Point reads do not wait for rows that may be large.
  const rows = await database.query(bound === undefined ? statement : listing(statement))
  return asPage(rows, ({ id }) => id !== null)
}

function firstRows(counted: Counted, columns: Sql, order: Sql, size: number): Sql {
  return rows(counted, columns, sql`true`, sql`order by ${idOf(counted)} ${order} limit ${size}`)
}

function rowsFrom(counted: Counted, columns: Sql): Sql {
  const limit = sql`order by ${idOf(counted)} limit (select length from wanted)`
  return rows(counted, columns, sql`${idOf(counted)} >= (select id from start)`, limit)
}

/** Links are read from their index alone, and the products of the page after that. */
function rows(counted: Counted, columns: Sql, condition: Sql, limit: Sql): Sql {
  const found = sql`${countedProducts(counted)} and ${condition} ${limit}`
  if (counted.category === 0) return sql`select ${columns} from ${found}`
  return sql`
    select ${columns} from (select link.product_id from ${found}) as link
    join products as product on product.project_id = ${counted.projectId} and product.id = link.product_id`
}

function idOf({ category }: Counted): Sql {
  return raw(category === 0 ? 'product.id' : 'link.product_id')
}

/** The id that the page begins with: ascending even for a list that descends, whose page is the same ids from the other end. */
function placeOf(counted: Counted, page: PageRequest, descending: boolean): Sql {
  const upTo = sql`sum(${countOf(counted)}) over (order by counts.range)`
  const id = idOf(counted)
  const within = sql`${countedProducts(counted)} and ${id} >= fine.range << 11 and ${id} < (fine.range + 1) << 11`
  return sql`,
    wanted as materialized (
      select ${firstPosition(page, descending)} as first, ${lengthOf(page, descending)} as length from total
    ), coarse as materialized (
      select min(range) filter (where up_to > first) as range,
             coalesce(max(up_to) filter (where up_to <= first), 0) as before
      from wanted, (select counts.range, ${upTo} as up_to from ${rangeCounts(counted, 16)}) as sums
    ), fine as materialized (
      select min(sums.range) filter (where up_to > first) as range, min(up_to) filter (where up_to > first) as up_to,
             coalesce(max(up_to) filter (where up_to <= first), min(before)) as before
      from wanted, (
        select counts.range, coarse.before, coarse.before + ${upTo} as up_to
        from coarse, ${rangeCounts(counted, 11)} and counts.range between coarse.range << 5 and (coarse.range << 5) + 31
      ) as sums
    ), start as materialized (
      select case when first - before < up_to - first
        then (select ${id} from ${within} order by ${id} limit 1 offset first - before)
        else (select ${id} from ${within} order by ${id} desc limit 1 offset up_to - first - 1)
      end as id
      from fine, wanted
    )`
}

/** Position of the page's lowest id, from 0. Past the end it is a place that holds nothing. */
function firstPosition(page: PageRequest, descending: boolean): Sql {
  if (descending) return sql`greatest(0, ${endPosition(page)} - ${page.size}::bigint)`
  return before(page)
}

/** How many products stand before the page. One text for the last page and any other. */
function before({ number, size }: PageRequest): Sql {
  const given = number === 'last' ? null : (number - 1) * size
  return sql`coalesce(${given}::bigint, greatest(0, (count - 1) / ${size}::bigint * ${size}::bigint))`
}

function lengthOf(page: PageRequest, descending: boolean): Sql {
  if (!descending) return sql`${page.size}::bigint`
  const end = endPosition(page)
  return sql`greatest(0, ${end} - greatest(0, ${end} - ${page.size}::bigint))`
}

/** Of a page that counts from the highest id: the position after its highest. */
function endPosition(page: PageRequest): Sql {
  return sql`(count - ${before(page)})`
}

/** The counts of ranges of one scale, as `counts`, in a from clause with their condition. */
export function rangeCounts({ projectId, category, statuses }: Counted, scale: number): Sql {
  return sql`
    product_counts as counts
    where counts.project_id = ${projectId} and counts.category_id = ${category} and counts.scale = ${raw(String(scale))}
      and ${isOneOf('counts.status', statuses, [])}`
}

/** What one row of `counts` adds to the whole. One text for all choices of types, so that few statements are prepared. */
export function countOf({ types }: Counted): Sql {
  if (types.length === productTypes.length)
    return raw(productTypes.map((type) => `counts.${type}`).join(' + '))
  const terms = productTypes.map(
    (type) => sql`${raw(`counts.${type}`)} * ${types.includes(type) ? 1 : 0}::int`,
  )
  return join(terms, ' + ')
}

/** All these products in a from clause with its condition: as `product`, or as `link` to it. */
function countedProducts({ projectId, category, statuses: some, types }: Counted): Sql {
  const conditions = (table: string) =>
    sql`${isOneOf(`${table}.status`, some, statuses)} and ${isOneOf(`${table}.product_type`, types, productTypes)}`
  if (category === 0)
    return sql`products as product where product.project_id = ${projectId} and ${conditions('product')}`
  return sql`
    product_categories as link
    where link.project_id = ${projectId} and link.category_id = ${category} and ${conditions('link')}`
}

function isOneOf(column: string, values: readonly string[], all: readonly string[]): Sql {
  if (values.length === 0) return sql`false`
  if (values.length === all.length) return sql`true`
  if (values.length === 1) return sql`${raw(column)} = ${values[0]}`
  return sql`${raw(column)} = any(${values}::text[])`
}
