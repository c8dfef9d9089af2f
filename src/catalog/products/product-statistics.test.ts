import { expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { raw, sql } from '../../platform/database/sql.ts'
import { renewStatistics } from './product-statistics.sql.ts'

test('statistics are updated as soon as a table has grown, and not for every change', {
  tags: 'slow',
}, async () => {
  const connection = await ownDatabase('statistics')
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 30 })
  const add = async (first: number, count: number) => {
    await database.query(sql`
      with added as (
        insert into products (project_id, sku, name, search_text, quality_score, quality_failed, quality_rules_version, category_ids)
        select 1, 'S-' || n, 'Name', 'name', 50, array[]::text[], 1, array[1]
        from generate_series(${first}::int, ${first + count - 1}::int) as n
        returning project_id, id, status, product_type
      )
      insert into product_categories (project_id, product_id, category_id, status, product_type)
      select project_id, id, 1, status, product_type from added`)
    await database.query(raw('select pg_stat_force_next_flush()'))
    await renewStatistics(database)
  }
  const known = async () => {
    const tables = await database.query(sql<{ rows: number }>`
      select reltuples::int as rows from pg_class where oid in ('products'::regclass, 'product_categories'::regclass)`)
    return tables.map(({ rows }) => rows)
  }
  for (const table of ['products', 'product_categories'])
    await database.query(raw(`alter table ${table} set (autovacuum_enabled = off)`))
  await database.query(sql`insert into projects (name) values ('p')`)
  await database.query(sql`insert into categories (project_id, name) values (1, 'c')`)
  await add(1, 400)
  expect(await known()).toEqual([-1, -1])
  await add(401, 600)
  expect(await known()).toEqual([1000, 1000])
  await add(1001, 900)
  expect(await known()).toEqual([1000, 1000])
  await add(1901, 200)
  expect(await known()).toEqual([2100, 2100])
  await database.close()
})
