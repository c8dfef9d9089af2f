import type { Queryable } from '../../database/database.ts'
import { containing, words } from '../../database/search-text.ts'
import type { PageRequest } from '../../database/select-page.ts'
import { broad, join, plannedAnew, raw, type Sql, sql } from '../../database/sql.ts'
import type { KeyedFilter } from '../../http/request/keyed-parameters.ts'
import { orderBy } from '../../http/request/ordering.ts'
import { valuePath } from '../attribute-filters.ts'
import type { Filters } from '../product-filters.ts'
import type { PageForm } from './page-form.ts'

type FilteredPage<Found> = { form: PageForm<Found>; where: Sql; ordering: string; page: PageRequest }
type SearchedPage<Found> = FilteredPage<Found> & {
  projectId: number
  filters: Filters
  isLargeProject: boolean
}

/** A page of what a search finds, and the count of all of it. It is found once, and counted and sorted from there. */
export async function selectSearchedPage<Found>(
  database: Queryable,
  { projectId, filters, isLargeProject, form, where, ordering, page }: SearchedPage<Found>,
): Promise<Found> {
  const order = orderBy('product', ordering, ['price'])
  const fields = new Set(['id', ...ordering.split(',').map((term) => term.replace(/^-/, ''))])
  const sorted = raw([...fields].map((field) => `product.${field}`).join(', '))
  const planned = plannedOnce(projectId, filters, isLargeProject)
  const pageOfFound = sql`
    select ${form.columns}, ids.position
    from ids join products as product on product.project_id = ${projectId} and product.id = ids.id`
  const statement = sql<never>`
    with found as materialized (select ${sorted} from products as product where ${planned ?? where}),
    total as materialized (select count(*) as count from found),
    ids as materialized (
      select product.id, row_number() over () as position
      from (select * from found as product order by ${order} limit ${page.size}::int offset ${firstOf(page)}) as product
    )
    ${form.select(pageOfFound, sql`page.position`)}`
  return form.read(await database.query(broad(planned === undefined ? plannedAnew(statement) : statement)))
}

const mostTerms = 3
/**
 * What a trigram is made of on every server: an index of trigrams finds nothing shorter. Where the locale is C, as in the embedded server,
 * other letters are in no trigram, and the index would be read from end to end.
 */
const threeLetters = /[A-Za-z0-9]{3}/

/**
 * The conditions of a search for such words, or for values of attributes, and for nothing else: the index is the way, whatever is looked for.
 * The planner does not see the values, so that it plans once; a plan takes as long as the search.
 */
function plannedOnce(projectId: number, filters: Filters, isLargeProject: boolean): Sql | undefined {
  const {
    search = '',
    search_in = 'name',
    attributes = [],
    page: _,
    page_size: __,
    ordering: ___,
    expand: ____,
    ...others
  } = filters
  const terms = [...words(search).map(searched), ...attributes.map(valued)]
  const isOther = search_in === 'all' || Object.values(others).some((value) => value !== undefined)
  if (isOther || terms.length === 0 || terms.length > mostTerms || terms.includes(undefined)) return undefined
  // In the index every product of the project stands under its number. Of a large one that is a long list, and the row tells as well.
  const own = isLargeProject
    ? sql`product.project_id + 0 = ${projectId}`
    : sql`product.project_id = ${projectId}`
  return join([own, ...(terms as Sql[])], ' and ')
}

function searched(word: string): Sql | undefined {
  return threeLetters.test(word) ? sql`product.search_text like (select ${containing(word)})` : undefined
}

function valued({ key, operator, value }: KeyedFilter): Sql | undefined {
  return operator === 'exact' || operator === 'in'
    ? sql`product.attributes @@ (select ${valuePath(key, value)}::jsonpath)`
    : undefined
}

/** A page of what other filters leave, and the count of all of it: two looks, each by the index that serves it best. */
export async function selectFilteredPage<Found>(
  database: Queryable,
  { form, where, ordering, page }: FilteredPage<Found>,
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
