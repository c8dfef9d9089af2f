import type pg from 'pg'
import { repairCounts } from '../src/catalog/products/product-counts.sql.ts'
import type { Database } from '../src/platform/database/database.ts'
import { withoutTriggers } from './fill.ts'
import { load, type Measured, type Write } from './load.ts'
import { runPlainSql } from './plain-sql.ts'
import { type Effort, medianOf } from './reads.ts'
import type { Shop } from './shop.ts'
import { below, oneOf } from './works.ts'

export type WriteRow = { work: string } & Record<
  'service' | 'withoutCounting' | 'withoutEvents' | 'plain',
  Measured
>

const attributes = Object.fromEntries(
  Array.from({ length: 8 }, (_, index) => [`attribute${index}`, `value ${index}`]),
)
const description = 'A sentence that describes it. '.repeat(8)
let created = 0

function next() {
  created += 1
  return { sku: `${process.pid}-${created}`, name: `Product ${created}`, price: created % 1000 }
}

function nameAndPrice() {
  const { name, price } = next()
  return { name, price: price + 0.5 }
}

/** An update of name and price. */
export function updateOf(chooseId: () => number): Write {
  return { method: 'PATCH', path: () => `/v2/products/${chooseId()}`, body: nameAndPrice }
}

/** The same work over HTTP and as one prepared statement that writes the same row. */
function works(shop: Shop) {
  const create: Write = {
    method: 'POST',
    path: () => '/v2/products',
    body: () => ({ ...next(), description, attributes }),
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
    text: `update products set name = $3, search_text = $4, price = $5, version = version + 1, updated_at = clock_timestamp()
      where project_id = $1 and id = $2`,
    values: () => {
      const { name, price } = nameAndPrice()
      return [shop.project, oneOf(shop.ids), name, name.toLowerCase(), price]
    },
  }
  return [
    { work: 'create', overHttp: create, plain: insert },
    { work: 'update name and price, random ID', overHttp: updateOf(() => oneOf(shop.ids)), plain: change },
    { work: 'set stock, random ID', ...stockChange(shop) },
    { work: `adjust stock of ${adjustedProducts} products`, ...stockAdjustment(shop) },
  ]
}

function stockChange({ project, ids }: Shop) {
  const overHttp: Write = {
    method: 'PATCH',
    path: () => `/v2/products/${oneOf(ids)}`,
    body: () => ({ inventory: { quantity: below(1_000) } }),
  }
  const plain = {
    text: `with changed as (
        update products set quantity = $3::bigint, inventory_updated_at = clock_timestamp() where project_id = $1 and id = $2 returning quantity)
      insert into inventory_adjustments (project_id, product_id, delta, quantity, reason, actor, source)
      select $1, $2, 1, quantity, 'set', 'bench', 'api' from changed`,
    values: () => [project, oneOf(ids), below(1_000)],
  }
  return { overHttp, plain }
}

/** The number of products that all clients adjust. */
const adjustedProducts = 10

function stockAdjustment({ project, ids }: Shop) {
  const chooseId = () => ids[below(adjustedProducts)] as number
  const overHttp: Write = {
    method: 'POST',
    path: () => `/v2/products/${chooseId()}/inventory/adjust`,
    body: () => ({ delta: 1, reason: 'Returned' }),
  }
  const plain = {
    text: `with changed as (
        update products set quantity = quantity + 1, inventory_updated_at = clock_timestamp() where project_id = $1 and id = $2 returning quantity)
      insert into inventory_adjustments (project_id, product_id, delta, quantity, reason, actor, source)
      select $1, $2, 1, quantity, 'Returned', 'bench', 'api' from changed`,
    values: () => [project, chooseId()],
  }
  return { overHttp, plain }
}

/** Writes vary more than reads because of the disk, so they get three times as many rounds. */
const roundFactor = 3

/** Alternates the service, the service without counting, the service without events, and plain SQL without counting. */
export async function measureWrites(
  database: Database,
  connection: pg.ClientConfig,
  shop: Shop,
  { rounds, seconds }: Effort,
): Promise<WriteRow[]> {
  const rows: WriteRow[] = []
  for (const { work, overHttp, plain } of works(shop)) {
    const taken: Record<'service' | 'withoutCounting' | 'withoutEvents' | 'plain', Measured[]> = {
      service: [],
      withoutCounting: [],
      withoutEvents: [],
      plain: [],
    }
    const serve = () => load(shop.url, shop.token, overHttp, seconds)
    const turns = [
      async () => void taken.service.push(await serve()),
      () => withoutTriggers(database, async () => void taken.withoutEvents.push(await serve()), 'events'),
      () =>
        withoutTriggers(database, async () => {
          taken.withoutCounting.push(await serve())
          taken.plain.push(await runPlainSql(connection, plain, seconds))
        }),
    ]
    // A warm-up that opens connections and compiles hot code.
    await serve()
    for (let round = 0; round < rounds * roundFactor; round += 1) {
      for (const turn of turns) await turn()
      // Alternates the order, so that each affects the other equally.
      turns.reverse()
    }
    rows.push({
      work,
      service: medianOf(taken.service),
      withoutCounting: medianOf(taken.withoutCounting),
      withoutEvents: medianOf(taken.withoutEvents),
      plain: medianOf(taken.plain),
    })
  }
  await database.transaction(repairCounts)
  return rows
}
