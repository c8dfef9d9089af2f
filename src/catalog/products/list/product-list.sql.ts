import { productTypes, statuses } from '../../../model/fields/product-fields.ts'
import type { ProductRow } from '../../../model/product/product-row.ts'
import type { View } from '../../../model/views/views.ts'
import { batchByKey } from '../../../platform/database/batching/batch-reads.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { broad, planEachTime, type Sql, sql } from '../../../platform/database/sql.ts'
import type { Page, PageRequest } from '../../../platform/database/statements/select-page.ts'
import { orderBy } from '../../../platform/http/query/ordering.ts'
import { limitConcurrency } from '../../../platform/scheduling/concurrency-limit.ts'
import { listLimits } from '../../limits.ts'
import { type Filters, matchingProducts } from '../product-filters.ts'
import type { Product } from '../product-list.schema.ts'
import { batchSearches, type ReadSearch } from './batch-searches.ts'
import {
  type Counted,
  type CountedPage,
  countedPage,
  isByIds,
  pageShape,
  type Shape,
  selectCountedPage,
  termsOfAsked,
} from './counted-page.sql.ts'
import type { Leveled } from './explain-match.ts'
import {
  detailRows,
  type ItemTexts,
  itemTexts,
  itemTextsIn,
  matchedItems,
  type PageForm,
} from './page-form.ts'
import { type Ranking, rankingOf } from './relevance.sql.ts'
import {
  type Search,
  searchTerms,
  selectRankedPage,
  selectSearch,
  selectSearchedPage,
} from './searched-page.sql.ts'
import { isDeep, selectSortedPage, sortedPage } from './sorted-page.sql.ts'

type List = {
  filters: Filters
  ordering: string | undefined
  page: PageRequest
  /** Whether the project has a large share of all products. */
  isLargeProject?: boolean
}

/** Pages that share statements with other pages that are requested at the same time. */
export type SharedPages = { readCounted: ReadCountedPage; readSearch: ReadSearch }

export function sharePages(database: Queryable): SharedPages {
  return { readCounted: batchPages(database), readSearch: batchSearches(database) }
}

export function listProducts(
  database: Queryable,
  shared: SharedPages,
  projectId: number,
  list: List,
  view?: View,
): Promise<ItemTexts> {
  if (view !== undefined) return selectProducts(database, projectId, itemTextsIn(view), list)
  return readShared(shared, projectId, list) ?? selectProducts(database, projectId, itemTexts, list)
}

/** The items of a search with their matches. */
export function listMatches(
  database: Queryable,
  projectId: number,
  list: List,
  ranking: Ranking,
): Promise<Page<Product & Leveled>> {
  return selectProducts(database, projectId, matchedItems(ranking), list)
}

function readShared(shared: SharedPages, projectId: number, list: List): Promise<ItemTexts> | undefined {
  const search = searchOf(projectId, list)
  if (search !== undefined) return shared.readSearch(search)
  const counted = countedPageOf(projectId, list)
  return counted && shared.readCounted(counted, list.isLargeProject === true)
}

export function listProductDetails(
  database: Queryable,
  projectId: number,
  list: List,
  maxBytes: number,
  ranking?: Ranking,
): Promise<Page<ProductRow & Partial<Leveled>>> {
  return selectProducts(database, projectId, detailRows(maxBytes, ranking), list)
}

function selectProducts<Found>(
  database: Queryable,
  projectId: number,
  form: PageForm<Found>,
  list: List,
): Promise<Found> {
  const { filters, ordering = 'id', page } = list
  const counted = countedPageOf(projectId, list)
  if (counted !== undefined && isByIds(counted)) return selectCountedPage(database, counted, form)
  const where = matchingProducts(projectId, filters)
  if (counted !== undefined) return selectSortedPage(database, counted, where, form)
  if (ordering === 'relevance') {
    const ranking = rankingOf(filters)
    return selectRankedPage(database, { projectId, where, ranking, page }, form)
  }
  const search = searchOf(projectId, list)
  if (search !== undefined) return selectSearch(database, search, form)
  return isSearch(filters)
    ? selectSearchedPage(database, { projectId, where, ordering, page }, form)
    : selectFilteredPage(database, { where, ordering, page }, form)
}

function searchOf(projectId: number, list: List): Search | undefined {
  const { filters, ordering = 'id', page, isLargeProject = false } = list
  const terms = ordering === 'relevance' ? undefined : searchTerms(filters)
  return terms && { projectId, isLargeProject, terms, ordering, page }
}

function countedPageOf(projectId: number, { filters, ordering = 'id', page }: List): CountedPage | undefined {
  const counted = countedBy(projectId, filters)
  return counted && { counted, page, ordering }
}

const ignored = new Set<string>(['view', 'page', 'page_size', 'ordering', 'expand', 'search_in'])

/** The filters in terms of the stored counts; undefined if the counts do not cover one of them. */
function countedBy(projectId: number, filters: Filters): Counted | undefined {
  const counted: Counted = { projectId, category: 0, statuses: [...statuses], types: [...productTypes] }
  for (const [name, value] of Object.entries(filters)) {
    if (ignored.has(name) || value === undefined) continue
    if (name === 'project' && value === projectId) continue
    if (name === 'category' && value !== 0) counted.category = value as number
    else if (name === 'status' || name === 'status__in')
      counted.statuses = counted.statuses.filter((status) => [value].flat().includes(status))
    else if (name === 'product_type' || name === 'product_type__in')
      counted.types = counted.types.filter((type) => [value].flat().includes(type))
    else return undefined
  }
  return counted
}

const searchedBy: (keyof Filters)[] = [
  'search',
  'name__icontains',
  'attributes',
  'quality_rule',
  'written_by',
  'marks',
]

/** Whether a filter searches texts or attributes, so that finding the matches is most of the work. */
function isSearch(filters: Filters): boolean {
  return searchedBy.some((name) => filters[name] !== undefined)
}

type FilteredPage = { where: Sql; ordering: string; page: PageRequest }

/** A page for filters that are neither counted nor searches, with its count: two scans, each with the best index for it. */
async function selectFilteredPage<Found>(
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
  return form.read(await database.query(broad(planEachTime(statement))))
}

/** The number of products before the page; for the last page it depends on `total`. */
function firstOf({ number, size }: PageRequest): Sql {
  return number === 'last'
    ? sql`(select greatest(0, (count - 1) / ${size}::bigint * ${size}::bigint) from total)`
    : sql`${(number - 1) * size}::bigint`
}

type AskedPage = CountedPage & { shape: Shape; isPlannedOnce: boolean }

type FoundPage = ItemTexts & { place: number }

/** Undefined for a page that cannot share a statement. */
export type ReadCountedPage = (page: CountedPage, isLargeProject: boolean) => Promise<ItemTexts> | undefined

/** Pages of one project that are requested at the same time share a statement, as single products do. */
export function batchPages(database: Queryable): ReadCountedPage {
  // Sixteen pages along an index take a hundred times as long as one product, and each order is a separate group: without a
  // limit they would take all connections for tokens and single products.
  const sorted = limitConcurrency({
    most: listLimits.sortedStatements,
    maxWaitSeconds: listLimits.sortedWaitSeconds,
  })
  const read = batchByKey({
    groupOf: pageGroup,
    keyOf: pageKey,
    keysPerStatement: () => 16,
    atOnce: listLimits.sortedStatements,
    async load(pages: AskedPage[]) {
      const [one] = pages as [AskedPage]
      const statement = sql<FoundPage>`${selectPages(pages)}`
      const ask = () => database.query(one.isPlannedOnce ? statement : planEachTime(statement))
      const found = await (isByIds(one) ? ask() : sorted.run(ask, one.counted.projectId))
      return new Map(found.map(({ place, ...page }) => [pageKey(pages[place - 1] as AskedPage), page]))
    },
  })
  return (page, isLargeProject) => {
    const shape = sharedShape(page)
    // In another order, a cached plan is right only for large projects, which the statistics reveal: a plan that was made for an
    // empty table reads the entire project for each page.
    const isPlannedOnce = isByIds(page) || isLargeProject
    return shape && (read({ ...page, shape, isPlannedOnce }) as Promise<ItemTexts>)
  }
}

/** In another order, one plan is right for every project only if the page covers the whole project: along the index of that field. */
function sharedShape(asked: CountedPage): Shape | undefined {
  const { counted, page, ordering } = asked
  const shape = pageShape(counted)
  if (shape === undefined || isByIds(asked)) return shape
  const isWhole = !Object.values(shape).some(Boolean)
  return isWhole && !ordering.includes(',') && !isDeep(page) ? shape : undefined
}

/** Pages of one project, so that no project waits for another's pages, and of one statement text. */
function pageGroup({ counted, shape, isPlannedOnce, page, ordering }: AskedPage): string {
  return [counted.projectId, ...Object.values(shape), isPlannedOnce, page.number === 1, ordering].join(' ')
}

function pageKey({ counted: { category, statuses, types }, page }: AskedPage): string {
  return [category, statuses[0], types[0], page.number, page.size].join(' ')
}

function selectPages(pages: AskedPage[]): Sql {
  const [one] = pages as [AskedPage]
  const { shape, page, ordering } = one
  const terms = termsOfAsked(shape)
  const ofOne = isByIds(one)
    ? countedPage(terms, itemTexts, { isFirst: page.number === 1, descending: ordering === '-id' })
    : sortedPage(terms, sql`product.project_id = asked.project_id`, ordering, itemTexts)
  const counted = pages.map((asked) => asked.counted)
  const first = pages.map(({ page: { number, size } }) => (number === 'last' ? null : (number - 1) * size))
  const of = (value: (one: Counted) => unknown) => counted.map(value)
  return sql`
    select asked.place, page.*
    from unnest(
      ${of(({ projectId }) => projectId)}::bigint[], ${of(({ category }) => category)}::bigint[],
      ${of(({ statuses }) => statuses[0])}::text[], ${of(({ types }) => types[0])}::text[],
      ${first}::bigint[], ${pages.map((asked) => asked.page.size)}::bigint[]
    ) with ordinality as asked (project_id, category_id, status, product_type, first, size, place),
    lateral (${ofOne}) as page`
}
