import type { Queryable } from '../../../platform/database/database.ts'
import { broad, join, planEachTime, raw, type Sql, sql } from '../../../platform/database/sql.ts'
import { likePattern, splitWords } from '../../../platform/database/statements/search-text.ts'
import type { PageRequest } from '../../../platform/database/statements/select-page.ts'
import { orderBy } from '../../../platform/http/query/ordering.ts'
import { type Filters, valuePath } from '../product-filters.ts'
import type { PageForm } from './page-form.ts'
import { byRank, type Ranking, rankColumns } from './relevance.sql.ts'

/** A condition that the word index or the attribute index can evaluate alone. */
export type Term = { column: 'search_text' | 'attributes'; value: string }

/** A search with such terms only. It always uses the index, so one plan serves all values. */
export type Search = {
  projectId: number
  /** Whether the project has a large share of all products. */
  isLargeProject: boolean
  terms: Term[]
  ordering: string
  page: PageRequest
}

/** The search as values of a statement, or as columns of `asked`. */
type SearchTerms = { project: Sql; where: Sql; first: Sql; size: Sql }

const maxTerms = 3
/**
 * The characters of trigrams on every server; a trigram index finds nothing shorter. With the C locale, as in the embedded server, other
 * letters are in no trigram, and a search would read the entire index.
 */
const threeLetters = /[A-Za-z0-9]{3}/

/** The filters as search terms; undefined if an index alone cannot evaluate them. */
export function searchTerms(filters: Filters): Term[] | undefined {
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
  const found = splitWords(search)
  const isOther = search_in === 'all' || Object.values(others).some((value) => value !== undefined)
  if (isOther || !found.every((word) => threeLetters.test(word))) return undefined
  const terms: Term[] = found.map((word) => ({ column: 'search_text', value: likePattern(word) }))
  for (const { key, operator, value } of attributes) {
    if (operator !== 'exact' && operator !== 'in') return undefined
    terms.push({ column: 'attributes', value: valuePath(key, value) })
  }
  return terms.length === 0 || terms.length > maxTerms ? undefined : terms
}

/**
 * Searches of one project, one kind and one order, as rows of `asked`; a single search is one row. The planner sees neither the values
 * nor their number, so it plans once. A plan takes as long as a search.
 */
export function selectSearches(searches: Search[], form: PageForm<unknown>): Sql {
  const [one] = searches as [Search]
  const names = one.terms.map((_, index) => raw(`term_${index + 1}`))
  // The subselect hides the number of values from the planner, which would otherwise prefer a custom plan over the cached one.
  const asked = (value: (search: Search) => unknown, type: string) =>
    sql`(select ${searches.map(value)}::${raw(type)}[])`
  const values = one.terms.map(({ column }, index) =>
    asked(({ terms }) => terms[index]?.value, column === 'attributes' ? 'jsonpath' : 'text'),
  )
  const terms = {
    project: sql`asked.project_id`,
    where: havingTerms(one, names),
    first: sql`asked.first`,
    size: sql`asked.size`,
  }
  return sql`
    select asked.place, page.*
    from unnest(
      ${asked(({ projectId }) => projectId, 'bigint')}, ${asked(({ page }) => firstOf(page), 'bigint')},
      ${asked(({ page }) => page.size, 'bigint')}, ${join(values)}
    ) with ordinality as asked (project_id, first, size, ${join(names)}, place),
    lateral (${searchedPage(terms, one.ordering, form)}) as page`
}

/** Condition for products, as `product`, that match all terms. */
function havingTerms({ terms, isLargeProject }: Search, names: Sql[]): Sql {
  // The index has a list of products per project. For a large project the list is long, so the row is checked instead.
  const own = raw(isLargeProject ? 'product.project_id + 0' : 'product.project_id')
  const conditions = terms.map(({ column }, index) =>
    column === 'search_text'
      ? sql`product.search_text like asked.${names[index]}`
      : sql`product.attributes @@ asked.${names[index]}`,
  )
  return join([sql`${own} = asked.project_id`, ...conditions], ' and ')
}

export async function selectSearch<Found>(
  database: Queryable,
  search: Search,
  form: PageForm<Found>,
): Promise<Found> {
  return form.read(await database.query(broad<never>(selectSearches([search], form))))
}

type SearchedPage = { projectId: number; where: Sql; ordering: string; page: PageRequest }

/** A page of a search combined with other filters, planned with its values. */
export async function selectSearchedPage<Found>(
  database: Queryable,
  { projectId, where, ordering, page }: SearchedPage,
  form: PageForm<Found>,
): Promise<Found> {
  const place = { first: sql`${firstOf(page)}::bigint`, size: sql`${page.size}::bigint` }
  const statement = searchedPage({ project: sql`${projectId}`, where, ...place }, ordering, form)
  return form.read(await database.query(broad<never>(planEachTime(statement))))
}

/** A page of a search, ordered by relevance. */
export async function selectRankedPage<Found>(
  database: Queryable,
  { projectId, where, ranking, page }: Omit<SearchedPage, 'ordering'> & { ranking: Ranking },
  form: PageForm<Found>,
): Promise<Found> {
  const place = { first: sql`${firstOf(page)}::bigint`, size: sql`${page.size}::bigint` }
  const ids = idsOfFound(rankColumns(ranking), byRank, { where, ...place })
  const statement = withRows(ids, sql`${projectId}`, form)
  return form.read(await database.query(broad<never>(planEachTime(statement))))
}

/** The number of products before the page. Null for the last page. */
function firstOf({ number, size }: PageRequest): number | null {
  return number === 'last' ? null : (number - 1) * size
}

/** A page of the search results, with their count. The results are found once, then counted and sorted. */
function searchedPage(terms: SearchTerms, ordering: string, form: PageForm<unknown>): Sql {
  const ids = /^-?id$/.test(ordering) ? idsInOrder(terms, ordering) : idsSorted(terms, ordering)
  return withRows(ids, terms.project, form)
}

function withRows(ids: Sql, project: Sql, form: PageForm<unknown>): Sql {
  const rows = sql`
    select ${form.columns}, ids.position
    from ids join products as product on product.project_id = ${project} and product.id = ids.id`
  return sql`
    with ${ids}
    ${form.select(rows, sql`page.position`)}`
}

/** Rows arrive almost in ID order: sorting all IDs as numbers costs less than materializing the rows for two scans. */
function idsInOrder({ where, first, size }: SearchTerms, ordering: string): Sql {
  const before = sql`least(${beforePage({ first, size }, sql`count(*)`)}, ${raw(String(maxOffset))})`
  return sql`
    found as materialized (
      select count(*) as count,
             (array_agg(product.id order by ${orderBy('product', ordering)}))[${before} + 1 : ${before} + ${size}] as ids
      from products as product where ${where}
    ), total as materialized (select count from found),
    ids as materialized (
      select one.id, one.position from found, unnest(found.ids) with ordinality as one (id, position)
    )`
}

/** The maximum array index is a four-byte integer, and a client can request a page far past the end. */
const maxOffset = 2_000_000_000

function idsSorted({ where, first, size }: SearchTerms, ordering: string): Sql {
  const fields = new Set(['id', ...ordering.split(',').map((term) => term.replace(/^-/, ''))])
  const sorted = raw([...fields].map((field) => `product.${field}`).join(', '))
  return idsOfFound(sorted, orderBy('product', ordering, ['price']), { where, first, size })
}

/** Columns of the products that match, and the page of them in an order by these columns. */
function idsOfFound(columns: Sql, order: Sql, { where, first, size }: Omit<SearchTerms, 'project'>): Sql {
  return sql`
    found as materialized (select ${columns} from products as product where ${where}),
    total as materialized (select count(*) as count from found),
    ids as materialized (
      select product.id, row_number() over () as position
      from (
        select * from found as product order by ${order}
        limit ${size} offset (select ${beforePage({ first, size }, sql`count`)} from total)
      ) as product
    )`
}

/** The statement is the same for the last page and any other. */
function beforePage({ first, size }: Pick<SearchTerms, 'first' | 'size'>, count: Sql): Sql {
  return sql`coalesce(${first}, greatest(0, (${count} - 1) / ${size} * ${size}))`
}
