import type pg from 'pg'
import type { Database } from '../src/database/database.ts'
import { repairCounts } from '../src/products/product-counts.sql.ts'
import { withoutTriggers } from './fill.ts'
import { load, type Write } from './load.ts'
import { runPlainly } from './plain-sql.ts'
import type { Shop } from './shop.ts'
import { median } from './throw-away.ts'

export type WriteRow = { work: string; service: number; uncounted: number; plain: number }

const attributes = Object.fromEntries(
  Array.from({ length: 8 }, (_, index) => [`attribute${index}`, `value ${index}`]),
)
const description = 'A sentence that describes it. '.repeat(8)
let made = 0

/** The same work, over HTTP and as the one prepared statement that writes the same row. */
function works(shop: Shop) {
  const someId = () => shop.ids[Math.floor(Math.random() * shop.ids.length)]
  const next = () => {
    made += 1
    return { sku: `${process.pid}-${made}`, name: `Product ${made}`, price: made % 1000 }
  }
  const create: Write = {
    method: 'POST',
    path: () => '/v2/products',
    body: () => ({ ...next(), description, attributes }),
  }
  const update: Write = {
    method: 'PATCH',
    path: () => `/v2/products/${someId()}`,
    body: () => ({ price: next().price + 0.5 }),
  }
  const insert = {
    text: `insert into products (project_id, sku, name, search_text, description, price, attributes, quality_score, quality_failed, quality_rules_version)
      values ($1, $2, $3, $4, $5, $6, $7, 50, '{}', 1) returning id`,
    values: () => {
      const { sku, name, price } = next()
      return [shop.project, sku, name, `${name}\n${sku}`, description, price, JSON.stringify(attributes)]
    },
  }
  const change = {
    text: 'update products set price = $3, version = version + 1, updated_at = clock_timestamp() where project_id = $1 and id = $2',
    values: () => [shop.project, someId(), next().price + 0.5],
  }
  return [
    { work: 'create', overHttp: create, plain: insert },
    { work: 'update', overHttp: update, plain: change },
  ]
}

/** Writes a second: the service, the service without counting, and plain SQL without counting, in turns. */
export async function measureWrites(
  database: Database,
  connection: pg.ClientConfig,
  shop: Shop,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<WriteRow[]> {
  const rows: WriteRow[] = []
  for (const { work, overHttp, plain } of works(shop)) {
    const taken: Record<'service' | 'uncounted' | 'plain', number[]> = {
      service: [],
      uncounted: [],
      plain: [],
    }
    const serve = async () => (await load(shop.url, shop.token, overHttp, seconds)).perSecond
    for (let round = 0; round < rounds; round += 1) {
      taken.service.push(await serve())
      await withoutTriggers(database, async () => {
        taken.uncounted.push(await serve())
        taken.plain.push((await runPlainly(connection, plain, seconds)).perSecond)
      })
    }
    rows.push({
      work,
      service: median(taken.service),
      uncounted: median(taken.uncounted),
      plain: median(taken.plain),
    })
  }
  await database.transaction(repairCounts)
  return rows
}
