import { expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { raw, sql } from '../../platform/database/sql.ts'
import { renewStatistics } from './product-statistics.sql.ts'

test('statistics are updated as soon as a table has grown, and not for every change', async () => {
  const connection = await ownDatabase('statistics')
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 30 })
  const add = async (first: number, count: number) => {
    await database.query(sql`
      insert into products (project_id, sku, name, search_text, quality_score, quality_failed, quality_rules_version)
      select 1, 'S-' || n, 'Name', 'name', 50, array[]::text[], 1
      from generate_series(${first}::int, ${first + count - 1}::int) as n`)
    await database.query(raw('select pg_stat_force_next_flush()'))
    await renewStatistics(database)
  }
  const known = async () => {
    const [table] = await database.query(
      sql<{ rows: number }>`select reltuples::int as rows from pg_class where oid = 'products'::regclass`,
    )
    return table?.rows
  }
  await database.query(raw('alter table products set (autovacuum_enabled = off)'))
  await database.query(sql`insert into projects (name) values ('p')`)
  await add(1, 400)
  expect(await known()).toBe(-1)
  await add(401, 600)
  expect(await known()).toBe(1000)
  await add(1001, 900)
  expect(await known()).toBe(1000)
  await add(1901, 200)
  expect(await known()).toBe(2100)
  await database.close()
})
