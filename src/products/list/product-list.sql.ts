import type { Queryable } from '../../database/database.ts'
import { type Page, type PageBound, type PageRequest, selectPage } from '../../database/select-page.ts'
import { type Sql, sql } from '../../database/sql.ts'
import { jsonbBytes } from '../../database/stored-bytes.ts'
import { orderBy } from '../../http/request/ordering.ts'
import type { ProductRow } from '../describe-product.ts'
import { detailColumns } from '../product.sql.ts'
import { largeBytes } from '../product-columns.ts'
import { productTypes, statuses } from '../product-fields.ts'
import { type Filters, matching } from '../product-filters.ts'
import type { Product } from '../product-list.schema.ts'
import { type Counted, selectCountedPage } from './counted-page.sql.ts'
import { selectSearchedPage, selectSortedPage } from './sorted-page.sql.ts'

const itemColumns = sql`
  product.id, product.sku, product.name, product.status, product.product_type, product.created_at,
  product.project_id as project`

/** A detail in an answer: what its row holds, and about so much that follows from it, mostly the explained score. */
const describedBytes = 2_500
const detailBytes = sql`(
  ${largeBytes('page')} + octet_length(page.categories::text) + ${jsonbBytes(sql`page.provenance`)} + ${describedBytes}::int)`

type List = { filters: Filters; ordering: string | undefined; page: PageRequest }

export function listProducts(database: Queryable, projectId: number, list: List): Promise<Page<Product>> {
  return selectProducts(database, projectId, { columns: itemColumns, bound: undefined }, list)
}

export function listProductDetails(
  database: Queryable,
  projectId: number,
  list: List,
  mostBytes: number,
): Promise<Page<ProductRow>> {
  const bound = { rowBytes: detailBytes, mostBytes }
  return selectProducts(database, projectId, { columns: detailColumns, bound }, list)
}

function selectProducts<Row>(
  database: Queryable,
  projectId: number,
  { columns, bound }: { columns: Sql; bound: PageBound | undefined },
  { filters, ordering = 'id', page }: List,
): Promise<Page<Row>> {
  const counted = countedBy(projectId, filters)
  if (counted !== undefined && (ordering === 'id' || ordering === '-id'))
    return selectCountedPage(database, counted, { columns, bound, page, descending: ordering === '-id' })
  const where = matching(projectId, filters)
  if (counted !== undefined)
    return selectSortedPage(database, counted, { columns, bound, where, ordering, page })
  if (isSearch(filters))
    return selectSearchedPage(database, projectId, { columns, bound, where, ordering, page })
  return selectPage(database, {
    columns,
    ...(bound && { bound }),
    from: sql`products as product`,
    where,
    orderBy: orderBy('product', ordering, ['price']),
    page,
    isBroad: true,
  })
}

const ignored = new Set<string>(['page', 'page_size', 'ordering', 'expand'])

/** The filters in terms of the counts, or undefined where one of them is not counted by. */
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
]

/** Whether a filter looks into texts or attributes: finding what matches is then most of the work. */
function isSearch(filters: Filters): boolean {
  return searchedBy.some((name) => filters[name] !== undefined)
}
