import type { Path } from './load.ts'
import { countAndOffset, type Statement } from './plain-sql.ts'
import { readText, type Shop } from './shop.ts'

/** A request to measure, and the same work in plain SQL. */
export type Work = {
  name: string
  path: Path
  plain: Statement
  /** Uses stored counts or a single row, so that its cost does not depend on the catalog size. */
  counted: boolean
}

const statuses = ['active', 'inactive', 'pending', 'archived']
const types = ['simple', 'configurable', 'virtual', 'bundle', 'grouped']
const pageSize = 20
/** A list in id order with stored counts. */
export const listPath = '/v2/products?status=active&product_type=simple'
const whereKind = 'project_id = $1 and status = $2 and product_type = $3'
const inCategory =
  'id in (select product_id from product_categories where project_id = $1 and category_id = $4)'

export function below(most: number): number {
  return Math.floor(Math.random() * most)
}

export function oneOf<Item>(items: readonly Item[]): Item {
  return items[below(items.length)] as Item
}

export async function readPages(shop: Shop, path: string): Promise<number> {
  const { count } = JSON.parse(await readText(shop, path)) as { count: number }
  return Math.max(1, Math.ceil(count / pageSize))
}

/** Like real traffic: each client requests something else. */
export async function randomWorks(shop: Shop): Promise<Work[]> {
  const { project } = shop
  const pages = Math.min(2_000, await readPages(shop, listPath))
  const sortedPages = Math.min(100, await readPages(shop, '/v2/products'))
  return [
    detailWork(shop),
    {
      name: `status and type, random page of ${pages.toLocaleString('en')}`,
      path: () => `${listPath}&page=${1 + below(pages)}`,
      plain: countAndOffset(whereKind, () => [project, 'active', 'simple'], {
        offset: () => below(pages) * pageSize,
      }),
      counted: true,
    },
    ofRandomKind(shop),
    {
      name: `sorted by price, random page of ${sortedPages}`,
      path: () => `/v2/products?ordering=-price&page=${1 + below(sortedPages)}`,
      plain: countAndOffset('project_id = $1', () => [project], {
        order: 'price desc nulls last, id desc',
        offset: () => below(sortedPages) * pageSize,
      }),
      counted: false,
    },
    ...filteredAtRandom(project),
  ]
}

export function detailWork({ project, ids }: Shop): Work {
  return {
    name: 'product by random ID',
    path: () => `/v2/products/${oneOf(ids)}`,
    plain: {
      text: 'select * from products where project_id = $1 and id = $2',
      values: () => [project, oneOf(ids)],
    },
    counted: true,
  }
}

function ofRandomKind({ project, categories }: Shop): Work {
  return {
    name: 'random status × type × category, first page',
    path: () =>
      `/v2/products?status=${oneOf(statuses)}&product_type=${oneOf(types)}&category=${oneOf(categories)}`,
    plain: countAndOffset(`${whereKind} and ${inCategory}`, () => [
      project,
      oneOf(statuses),
      oneOf(types),
      oneOf(categories),
    ]),
    counted: true,
  }
}

/** Searches for 3 digits, which match 1 % of the products, and values that 0.5 % have (see fill.ts). */
export const searchCount = 1_000
export const valueCount = 200
export const searchPath = (item: number) => `/v2/products?search=${String(item).padStart(3, '0')}`
export const valuePath = (item: number) => `/v2/products?attributes__attribute2=value%20${item}`

function filteredAtRandom(project: number): Work[] {
  const digits = () => String(below(searchCount)).padStart(3, '0')
  return [
    {
      name: 'search for 3 random digits',
      path: () => searchPath(below(searchCount)),
      plain: countAndOffset('project_id = $1 and search_text like $2', () => [project, `%${digits()}%`]),
      counted: false,
    },
    {
      name: 'one attribute, random value, 0.5 %',
      path: () => valuePath(below(valueCount)),
      plain: countAndOffset('project_id = $1 and attributes @> $2', () => [
        project,
        JSON.stringify({ attribute2: `value ${below(valueCount)}` }),
      ]),
      counted: false,
    },
  ]
}

/** One page that all clients request at once. The service reads it once for all waiting requests. */
export async function sharedWorks(shop: Shop): Promise<Work[]> {
  const pages = await readPages(shop, listPath)
  const kind = [shop.project, 'active', 'simple']
  const page = (depth: string, number: number): Work => ({
    name: `status and type, ${depth} page`,
    path: `${listPath}&page=${number}`,
    plain: countAndOffset(whereKind, () => kind, { offset: () => (number - 1) * pageSize }),
    counted: true,
  })
  return [
    page('first', 1),
    page('middle', Math.ceil(pages / 2)),
    page('last', pages),
    {
      name: 'first page by status, type and category',
      path: `${listPath}&category=${shop.categories[0]}`,
      plain: countAndOffset(`${whereKind} and ${inCategory}`, () => [...kind, shop.categories[0]]),
      counted: true,
    },
  ]
}
