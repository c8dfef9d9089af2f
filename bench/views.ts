import { parseArgs } from 'node:util'
import { changeProject, createProject } from '../src/access/projects/manage-project.ts'
import { issueToken } from '../src/access/tokens/manage-token.ts'
import type { Database } from '../src/platform/database/database.ts'
import { sql } from '../src/platform/database/sql.ts'
import { load, type Measured, type Request } from './load.ts'
import { serveCatalog } from './served.ts'
import { onTemporaryDatabase } from './temporary-database.ts'
import { below } from './works.ts'

/*
 * Compares a project with three views, in which every product has values, with one without views:
 *   npx node bench/views.ts
 */

const { values: options } = parseArgs({
  options: {
    products: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '5' },
    clients: { type: 'string', default: '8' },
  },
})
const products = Number(options.products)
const linesPerPush = Math.min(5_000, products)
const actor = { name: 'bench' }

type Shop = { id: number; url: string; token: string; firstProduct: number }

async function openShop(database: Database, url: string): Promise<Shop> {
  const { id } = await createProject(database, actor, { name: 'Compared', plan: 'enterprise' })
  await changeProject(database, actor, id, { rateLimit: 'none' })
  return { id, url, token: (await issueToken(database, actor, id, {})).token, firstProduct: 0 }
}

async function send({ url, token }: Shop, method: string, path: string, body?: string): Promise<Response> {
  const type = path.endsWith('/bulk') ? 'application/x-ndjson' : 'application/json'
  const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': type }) }
  return fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
}

async function demand(shop: Shop, method: string, path: string, body?: string): Promise<unknown> {
  const response = await send(shop, method, path, body)
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`)
  return JSON.parse(text)
}

const views = {
  de: { label: 'German', locale: 'de', requires: ['name', 'description'] },
  at: { label: 'Austria', locale: 'de-AT', falls_back_to: ['de'] },
  us: { label: 'US', currency: 'USD', requires: ['price'] },
}

function line(number: number, hasViews: boolean): string {
  const description = 'A fine thing. '.repeat(10)
  const attributes = Array.from({ length: 8 }, (_, key) => [`a${key}`, `v${(number * (key + 1)) % 50}`])
  // Every tenth description is missing.
  const de = { name: `Produkt ${number}`, ...(number % 10 > 0 && { description: description.toUpperCase() }) }
  const price = (number % 1000) + 0.5
  const values = { de, at: { price: price + 1 }, us: { price: price + 2 } }
  return JSON.stringify({
    ...{ sku: `S-${number}`, name: `Product ${number}`, description, price },
    ...{ categories: [{ name: `C${number % 20}` }], attributes: Object.fromEntries(attributes) },
    ...(hasViews && { views: values }),
  })
}

/** Returns the lines per second. */
async function fill(shop: Shop, hasViews: boolean): Promise<number> {
  let milliseconds = 0
  for (let start = 0; start < products; start += linesPerPush) {
    const count = Math.min(linesPerPush, products - start)
    const lines = Array.from({ length: count }, (_, index) => line(start + index, hasViews)).join('\n')
    const began = performance.now()
    await demand(shop, 'POST', '/v2/products/bulk', lines)
    milliseconds += performance.now() - began
  }
  return (products / milliseconds) * 1000
}

/** Seconds until all products are marked. */
async function untilMarked(shop: Shop): Promise<number> {
  const began = performance.now()
  while ((await send(shop, 'GET', '/v2/views/de/progress')).status === 409)
    await new Promise((resolve) => setTimeout(resolve, 500))
  return (performance.now() - began) / 1000
}

function print(rows: readonly (readonly [string, Measured | undefined, Measured | undefined])[]): void {
  const cells = (one: Measured | undefined) =>
    one === undefined ? '– | –' : `${Math.round(one.perSecond)} | ${one.p50.toFixed(2)}`
  console.log('| Request | without views: per second | p50 ms | with views: per second | p50 ms |')
  console.log('|---|---|---|---|---|')
  for (const [name, plain, viewed] of rows) console.log(`| ${name} | ${cells(plain)} | ${cells(viewed)} |`)
}

/** The average size of rows, in bytes. */
async function sizes(database: Database, { id }: Shop): Promise<{ product: number; history: number }> {
  const [row] = await database.query(sql<{ product: number; history: number }>`
    select (select round(avg(pg_column_size(product.*)))::int from (
        select * from products where project_id = ${id} order by id limit 1000) as product) as product,
      (select coalesce(round(avg(pg_column_size(step.*))), 0)::int from (
        select * from product_history where project_id = ${id} and version > 1 limit 1000) as step) as history`)
  return row as { product: number; history: number }
}

await onTemporaryDatabase(async (database, _connection, folder) => {
  // Responses from memory cost the same with and without views.
  const service = await serveCatalog(folder, [], { CATALOG_CACHE_MEGABYTES: '0' })
  try {
    const [plain, viewed] = [
      await openShop(database, service.url),
      await openShop(database, service.url),
    ] as const
    for (const [code, view] of Object.entries(views))
      await demand(viewed, 'PUT', `/v2/views/${code}`, JSON.stringify(view))
    const pushed = [await fill(plain, false), await fill(viewed, true)]
    await untilMarked(viewed)
    for (const shop of [plain, viewed]) {
      const [row] = await database.query(sql<{ id: number }>`
        select min(id) as id from products where project_id = ${shop.id}`)
      shop.firstProduct = row?.id ?? 0
    }
    const seconds = Number(options.seconds)
    const clients = Number(options.clients)
    const measure = (shop: Shop, request: Request) => load(shop.url, shop.token, request, seconds, clients)
    const product = (shop: Shop) => `/v2/products/${shop.firstProduct + below(products)}`
    const page = () => `/v2/products?page_size=20&page=${1 + below(Math.max(1, products / 20))}`
    const patch = (shop: Shop, body: () => object): Request => ({
      method: 'PATCH',
      path: () => product(shop),
      body,
    })
    const name = () => ({ name: `Product ${below(1e9)}` })
    const price = () => ({ views: { us: { price: below(1000) } } })
    const both = async (request: (shop: Shop) => Request) =>
      [await measure(plain, request(plain)), await measure(viewed, request(viewed))] as const
    const ofViews = async (request: Request) => [undefined, await measure(viewed, request)] as const
    print([
      ['detail', ...(await both((shop) => () => product(shop)))],
      ['detail with view=at', ...(await ofViews(() => `${product(viewed)}?view=at`))],
      ['list', ...(await both(() => page))],
      ['list with view=at', ...(await ofViews(() => `${page()}&view=at`))],
      ['list with missing_in=de', ...(await ofViews('/v2/products?missing_in=de'))],
      ['progress of a view', ...(await ofViews('/v2/views/de/progress'))],
      ['PATCH of the base name', ...(await both((shop) => patch(shop, name)))],
      ['PATCH of a price in a view', ...(await ofViews(patch(viewed, price)))],
    ])
    console.log(
      `\nPush, lines per second: ${pushed.map(Math.round).join(' without views, ')} with values in three views`,
    )
    const [of, ofViewed] = [await sizes(database, plain), await sizes(database, viewed)]
    console.log(
      `Bytes per product: ${of.product} and ${ofViewed.product}; per history row: ${of.history} and ${ofViewed.history}`,
    )
    const changed = JSON.stringify({ ...views.de, requires: ['name'] })
    await demand(viewed, 'PUT', '/v2/views/de', changed)
    console.log(`Seconds until a changed view is marked: ${(await untilMarked(viewed)).toFixed(0)}`)
  } finally {
    await service.stop()
  }
})
