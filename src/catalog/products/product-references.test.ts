import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backendOf, isWaitedFor, until } from '../../../test/database/blocked.ts'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { type Database, openDatabase, type Queryable } from '../../platform/database/database.ts'
import { sqlState } from '../../platform/database/failures.ts'
import { raw, sql } from '../../platform/database/sql.ts'

// What foreign keys would reject, and the triggers of migrations/0008 reject instead.
let database: Database
beforeAll(async () => {
  database = openDatabase({
    connection: await ownDatabase('references'),
    poolSize: 4,
    statementTimeoutSeconds: 10,
  })
  await database.query(
    sql`insert into projects (id, name) select n, 'p' from generate_series(1001, 1003) as n`,
  )
  await database.query(
    sql`insert into categories (project_id, id, name) select 1001, n, 'c' || n from generate_series(1, 3) as n`,
  )
  await insertProducts(database, 1001, 1, 20)
  // A link is found by the categories of its product.
  await database.query(raw("update products set category_ids = '{1}' where id = 2"))
  await link(database, 2, 1)
  await database.query(sql`
    insert into product_history (project_id, product_id, version, changed_at, actor, source, after)
    values (1001, 3, 1, now(), 'test', 'api', '{}')`)
  await adjust(4)
}, 60_000)

afterAll(() => database?.close())

function insertProducts(on: Queryable, project: number, first: number, last: number): Promise<unknown> {
  return on.query(sql`
    insert into products (project_id, id, sku, name, search_text, quality_score, quality_failed, quality_rules_version)
    select ${project}, n, 'S' || n, 'n', 'n', 0, '{}', 1 from generate_series(${first}::int, ${last}::int) as n`)
}

function link(on: Queryable, product: number, category: number, project = 1001): Promise<unknown> {
  return on.query(sql`
    insert into product_categories (project_id, product_id, category_id, status, product_type)
    values (${project}, ${product}, ${category}, 'pending', 'simple')`)
}

function adjust(product: number): Promise<unknown> {
  return database.query(sql`
    insert into inventory_adjustments (project_id, product_id, delta, quantity, reason, actor, source)
    values (1001, ${product}, 1, 1, 'set', 'test', 'api')`)
}

async function stateOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(() => 'done', sqlState)
}

const foreignKeyViolation = '23503'

function refer(product: number, reference: number | null, project = 1001): Promise<unknown> {
  return database.query(sql`
    insert into product_references (project_id, product_id, kind, reference_id, reference_sku)
    values (${project}, ${product}, 'related', ${reference}, 'S')`)
}

describe('without foreign keys that are checked row by row', () => {
  test('nothing references a row that does not exist or belongs to another project', async () => {
    expect(await stateOf(insertProducts(database, 77, 100, 120))).toBe(foreignKeyViolation)
    expect(await stateOf(link(database, 1, 99))).toBe(foreignKeyViolation)
    expect(await stateOf(link(database, 99, 1))).toBe(foreignKeyViolation)
    expect(await stateOf(refer(99, 1))).toBe(foreignKeyViolation)
    expect(await stateOf(refer(1, 99))).toBe(foreignKeyViolation)
    expect(await stateOf(refer(1, 2, 1002))).toBe(foreignKeyViolation)
    expect(await stateOf(refer(1, null))).toBe('done')
    expect(await stateOf(link(database, 1, 1, 1002))).toBe(foreignKeyViolation)
    expect(await stateOf(adjust(99))).toBe(foreignKeyViolation)
    const inserted = database.query(sql`
      insert into product_history (project_id, product_id, version, changed_at, actor, source, after)
      select 1001, n, 1, now(), 'test', 'api', '{}' from generate_series(18, 21) as n`)
    expect(await stateOf(inserted)).toBe(foreignKeyViolation)
  })

  test.each([
    ['a project with products', 'delete from projects where id = 1001'],
    ['a category with products', 'delete from categories where project_id = 1001 and id in (1, 2)'],
    ['a product with links', 'delete from products where id = 2'],
    ['a product with history', 'delete from products where id = 3'],
    ['a product with stock adjustments', 'delete from products where id in (4, 5)'],
  ])('%s cannot be deleted', async (_name, text) => {
    expect(await stateOf(database.query(raw(text)))).toBe(foreignKeyViolation)
  })

  test('a row without references can be deleted', async () => {
    expect(await stateOf(database.query(raw('delete from categories where id = 3')))).toBe('done')
    expect(await stateOf(database.query(raw('delete from products where id = 20')))).toBe('done')
    expect(await stateOf(database.query(raw('delete from projects where id = 1003')))).toBe('done')
  })

  test.each([
    'update projects set id = 2000 where id = 1002',
    'update categories set id = 2000 where id = 2',
    'update products set id = 2000 where id = 10',
    'update product_categories set category_id = 2 where product_id = 2',
    'update product_history set product_id = 5 where product_id = 3',
    'update inventory_adjustments set product_id = 5 where product_id = 4',
  ])('a key never changes: %s', async (text) => {
    expect(await stateOf(database.query(raw(text)))).toBe(foreignKeyViolation)
  })

  test('a category that is being linked cannot be deleted concurrently', async () => {
    const { removal } = await database.transaction(async (tx) => {
      await link(tx, 6, 2)
      const removal = stateOf(
        database.query(raw('delete from categories where project_id = 1001 and id = 2')),
      )
      const backend = await backendOf(tx)
      await until(() => isWaitedFor(database, backend))
      return { removal }
    })
    expect(await removal).toBe(foreignKeyViolation)
  })

  test('a category that is being deleted cannot be linked concurrently', async () => {
    await database.query(sql`insert into categories (project_id, id, name) values (1001, 50, 'short-lived')`)
    const { linking } = await database.transaction(async (tx) => {
      await tx.query(raw('delete from categories where project_id = 1001 and id = 50'))
      const linking = stateOf(link(database, 7, 50))
      const backend = await backendOf(tx)
      await until(() => isWaitedFor(database, backend))
      return { linking }
    })
    expect(await linking).toBe(foreignKeyViolation)
  })
})
