import { parseArgs } from 'node:util'
import { changeProject, createProject } from '../src/access/projects/manage-project.ts'
import { issueToken } from '../src/access/tokens/manage-token.ts'
import type { Database } from '../src/platform/database/database.ts'
import { sql } from '../src/platform/database/sql.ts'
import { load, type Measured, type Request } from './load.ts'
import { serveCatalog } from './servers/served.ts'
import { onTemporaryDatabase } from './servers/temporary-database.ts'
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
async function push(shop: Shop, lineOf: (number: number) => string, total = products): Promise<number> {
  let milliseconds = 0
  for (let start = 0; start < total; start += linesPerPush) {
    const count = Math.min(linesPerPush, total - start)
    const lines = Array.from({ length: count }, (_, index) => lineOf(start + index)).join('\n')
    const began = performance.now()
    await demand(shop, 'POST', '/v2/products/bulk', lines)
    milliseconds += performance.now() - began
  }
  return (total / milliseconds) * 1000
}

/** A push that changes one field of existing products. */
const pushed = {
  name: (number: number) => ({ name: `Changed ${number}` }),
  text: (number: number) => ({ views: { de: { name: `Neu ${number}` } } }),
  price: (number: number) => ({ views: { us: { price: number % 777 } } }),
}

function pushChanges(shop: Shop, changeOf: (number: number) => object): Promise<number> {
  const lineOf = (number: number) => JSON.stringify({ sku: `S-${number}`, ...changeOf(number) })
  return push(shop, lineOf, Math.min(products, 4 * linesPerPush))
}

async function printPushes(plain: Shop, viewed: Shop, created: readonly [number, number]): Promise<void> {
  const rows: [string, number | undefined, number][] = [
    ['new products, with values in three views', ...created],
    ['base names', await pushChanges(plain, pushed.name), await pushChanges(viewed, pushed.name)],
    ['texts in a view', undefined, await pushChanges(viewed, pushed.text)],
    ['prices in a view', undefined, await pushChanges(viewed, pushed.price)],
  ]
  console.log('\n| Push, lines per second | without views | with views |\n|---|---|---|')
  for (const [name, ...rates] of rows)
    console.log(
      `| ${name} | ${rates.map((rate) => (rate === undefined ? '–' : Math.round(rate))).join(' | ')} |`,
    )
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

/** The average sizes of product rows, and of history rows by what changed, in bytes. */
async function printSizes(database: Database, plain: Shop, viewed: Shop): Promise<void> {
  const productBytes = async ({ id }: Shop) => {
    const [row] = await database.query(sql<{ bytes: number }>`
      select round(avg(pg_column_size(product.*)))::int as bytes
      from (select * from products where project_id = ${id} order by id limit 1000) as product`)
    return row?.bytes
  }
  const history = ({ id }: Shop) =>
    database.query(sql<{ changed: string; bytes: number }>`
      select (select string_agg(key, ', ' order by key) from jsonb_object_keys(after) as key) as changed,
             round(avg(pg_column_size(step.*)))::int as bytes
      from (select * from product_history where project_id = ${id} and version > 1 order by product_id, version limit 50000) as step
      group by changed order by changed`)
  console.log('\n| Bytes per row | without views | with views |\n|---|---|---|')
  console.log(`| product | ${await productBytes(plain)} | ${await productBytes(viewed)} |`)
  const former = new Map((await history(plain)).map(({ changed, bytes }) => [changed, bytes]))
  for (const { changed, bytes } of await history(viewed))
    console.log(`| history of a change of ${changed} | ${former.get(changed) ?? '–'} | ${bytes} |`)
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
    const created = [
      await push(plain, (number) => line(number, false)),
      await push(viewed, (number) => line(number, true)),
    ] as const
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
    const text = () => ({ views: { de: { name: `Produkt ${below(1e9)}` } } })
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
      ['PATCH of a text in a view', ...(await ofViews(patch(viewed, text)))],
      ['PATCH of a price in a view', ...(await ofViews(patch(viewed, price)))],
    ])
    await printPushes(plain, viewed, created)
    await printSizes(database, plain, viewed)
    const changed = JSON.stringify({ ...views.de, requires: ['name'] })
    await demand(viewed, 'PUT', '/v2/views/de', changed)
    console.log(`\nSeconds until a changed view is marked: ${(await untilMarked(viewed)).toFixed(0)}`)
  } finally {
    await service.stop()
  }
})
