import type { Queryable } from '../../../platform/database/database.ts'
import { broad, planEachTime, type Sql, sql } from '../../../platform/database/sql.ts'
import type { PageRequest } from '../../../platform/database/statements/select-page.ts'
import { orderBy } from '../../../platform/http/query/ordering.ts'
import { type CountedPage, type CountedTerms, rangeCounts, termsOf } from './counted-page.sql.ts'
import type { PageForm } from './page-form.ts'

/** A page with a higher offset skips many index entries, so it counts as a broad statement. */
const deepOffset = 10_000

export function isDeep({ number, size }: PageRequest): boolean {
  return number === 'last' || (number - 1) * size > deepOffset
}

/** A page in another order than by ID, for filters that the stored counts cover. */
export async function selectSortedPage<Found>(
  database: Queryable,
  { counted, page, ordering }: CountedPage,
  where: Sql,
  form: PageForm<Found>,
): Promise<Found> {
  const terms = termsOf(counted, page)
  if (!isDeep(page))
    return form.read(
      await database.query(planEachTime(sql<never>`${sortedPage(terms, where, ordering, form)}`)),
    )
  const position = sql`row_number() over (order by ${orderBy('product', ordering, ['price'])})`
  const statement = sql<never>`${pageOf(terms, fromNearerEnd(terms, where, ordering), position, form)}`
  return form.read(await database.query(broad(planEachTime(statement))))
}

/** Reads the page along an index. */
export function sortedPage(terms: CountedTerms, where: Sql, ordering: string, form: PageForm<unknown>): Sql {
  // Numbered here, because a plan that orders the complete rows could scan the project again.
  const ids = sql`ids as materialized (
    select found.id, row_number() over () as position from (
      select product.id from products as product where ${where} order by ${orderBy('product', ordering, ['price'])}
      limit ${terms.size} offset ${terms.first}
    ) as found
  )`
  return pageOf(terms, ids, sql`ids.position`, form)
}

/**
 * The total comes from the stored counts, and only the rows of the page are read completely, one by one by ID. A plan that does not
 * know the length of the page could join it with the entire project.
 */
function pageOf(terms: CountedTerms, ids: Sql, position: Sql, form: PageForm<unknown>): Sql {
  const found = sql`
    select ${form.columns}, ${position} as position
    from ids cross join lateral (
      select * from products as one where one.project_id = ${terms.project} and one.id = ids.id limit 1
    ) as product`
  return sql`
    with total as materialized (
      select coalesce(sum(${terms.count}), 0)::bigint as count from ${rangeCounts(terms, 16)}
    ), ${ids}
    ${form.select(found, sql`page.position`)}`
}

function fromNearerEnd({ first, size }: CountedTerms, where: Sql, ordering: string): Sql {
  const place = sql`coalesce(${first}, greatest(0, (count - 1) / ${size} * ${size}))`
  return sql`wanted as materialized (
      select first, least(${size}, greatest(0, count - first)) as length, first > count / 2 as from_end, count
      from (select ${place} as first, count from total) as place
    ), ids as materialized (
      (select product.id from products as product where ${where} order by ${orderBy('product', ordering, ['price'])}
       limit (select case when from_end then 0 else length end from wanted) offset (select first from wanted))
      union all
      (select product.id from products as product where ${where} order by ${orderBy('product', ordering, ['price'], true)}
       limit (select case when from_end then length else 0 end from wanted)
       offset (select greatest(0, count - first - length) from wanted))
      -- Redundant, but the planner needs it.
      limit ${size}
    )`
}
