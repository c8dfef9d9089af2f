import type { Queryable } from '../../../platform/database/database.ts'
import type { PageRequest } from '../../../platform/database/select-page.ts'
import { broad, plannedAnew, type Sql, sql } from '../../../platform/database/sql.ts'
import { orderBy } from '../../../platform/http/request/ordering.ts'
import type { PageForm } from './page-form.ts'

type FilteredPage = { where: Sql; ordering: string; page: PageRequest }

/** A page of what filters leave that are neither counted by nor searches, and the count of all of it: two looks, each by the index that serves it best. */
export async function selectFilteredPage<Found>(
  database: Queryable,
  { where, ordering, page }: FilteredPage,
  form: PageForm<Found>,
): Promise<Found> {
  const found = sql`
    select numbered.*, row_number() over () as position from (
      select ${form.columns} from products as product where ${where}
      order by ${orderBy('product', ordering, ['price'])} limit ${page.size}::int offset ${firstOf(page)}
    ) as numbered`
  const statement = sql<never>`
    with total as materialized (select count(*) as count from products as product where ${where})
    ${form.select(found, sql`page.position`)}`
  return form.read(await database.query(broad(plannedAnew(statement))))
}

/** How many products stand before the page; of the last one `total` tells. */
function firstOf({ number, size }: PageRequest): Sql {
  return number === 'last'
    ? sql`(select greatest(0, (count - 1) / ${size}::bigint * ${size}::bigint) from total)`
    : sql`${(number - 1) * size}::bigint`
}
