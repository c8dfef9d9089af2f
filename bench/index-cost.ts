import type { Database } from '../src/platform/database/database.ts'
import { raw, sql } from '../src/platform/database/sql.ts'
import { median, onThrowAwayDatabase } from './throw-away.ts'

/** What each index of the product list costs an insert of 10,000 products, as a ratio to none of them, in one run. */
const rounds = 5
const rows = 10_000

type Index = { name: string; definition: string }

async function readIndexes(database: Database): Promise<Index[]> {
  return database.query(sql<Index>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'products' and indexname like 'products_by_%' order by indexname`)
}

async function insertSeconds(database: Database): Promise<number> {
  await database.query(raw('truncate products cascade'))
  await database.query(raw('checkpoint'))
  const started = performance.now()
  await database.query(sql`
    insert into products (project_id, sku, name, search_text, description, short_description, price, status, product_type,
                          attributes, tracked, quantity, quality_score, quality_failed, quality_rules_version)
    select 1, 'SKU-' || n, 'Product ' || md5(n::text), 'product ' || md5(n::text) || chr(10) || 'sku-' || n,
           repeat('A sentence that describes it. ', 8), 'A short description', n % 5000,
           (array['active', 'inactive', 'pending', 'archived'])[1 + n % 4],
           (array['simple', 'configurable', 'virtual', 'bundle', 'grouped'])[1 + n % 5],
           (select jsonb_object_agg('attribute' || a, md5((n % (a * 100))::text)) from generate_series(1, 8) as a),
           true, n % 50, n % 101, case when n % 5 = 0 then array['price_present'] else array[]::text[] end, 1
    from generate_series(1, ${rows}::int) as n`)
  return (performance.now() - started) / 1000
}

await onThrowAwayDatabase(async (database) => {
  await database.query(sql`insert into projects (name) values ('bench')`)
  const indexes = await readIndexes(database)
  const drop = (some: Index[]) => database.query(raw(`drop index ${some.map(({ name }) => name).join(', ')}`))
  const variants = new Map<string, Index[]>([
    ['none of them', []],
    ...indexes.map((index): [string, Index[]] => [index.name, [index]]),
    ['all of them', indexes],
  ])
  await drop(indexes)
  const seconds = new Map<string, number[]>()
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, some] of variants) {
      await database.query(raw('truncate products cascade'))
      for (const { definition } of some) await database.query(raw(definition))
      seconds.set(name, [...(seconds.get(name) ?? []), await insertSeconds(database)])
      if (some.length > 0) await drop(some)
    }
  }
  const base = median(seconds.get('none of them') ?? [])
  console.log(`| Index | ${rows.toLocaleString('en')} inserts, seconds | Ratio |\n|---|---|---|`)
  for (const [name, values] of seconds)
    console.log(`| ${name} | ${median(values).toFixed(2)} | ${(median(values) / base).toFixed(2)} |`)
})
