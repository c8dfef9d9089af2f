import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { createProject } from '../../access/projects/manage-project.ts'
import { deleteExpired } from '../../access/sessions/session.sql.ts'
import { openProducts } from '../../catalog/products/open-products.ts'
import { applyDefaultRules } from '../../catalog/quality/apply-default-rules.ts'
import { openRulesets, type Rulesets } from '../../catalog/rulesets/rulesets.ts'
import { type NewProduct, NewProductSchema } from '../../model/product/product-input.schema.ts'
import { defaultRuleset } from '../../model/quality/ruleset.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { raw, sql } from '../database/sql.ts'
import { checkInput } from '../http/body/check-input.ts'
import { deleteOldResponses } from '../http/request/idempotency.sql.ts'

const { signal } = new AbortController()
const author = { actor: 'tester', source: 'api' } as const
/** More than a batch; and where each takes a millisecond to delete, more than a statement has time for. */
const rows = 1_200

let database: Database
let hasty: Database
let rulesets: Rulesets
let project: number
beforeAll(async () => {
  const connection = await ownDatabase('background')
  database = openDatabase({ connection, poolSize: 2, statementTimeoutSeconds: 0 })
  hasty = openDatabase({ connection, poolSize: 2, statementTimeoutSeconds: 1 })
  rulesets = openRulesets(database)
  project = (await createProject(database, { name: 'tester' }, { name: 'Old' })).id
})
afterAll(async () => {
  await database.close()
  await hasty.close()
})

async function count(table: string): Promise<number> {
  const [row] = await database.query(sql<{ count: number }>`select count(*) from ${raw(table)}`)
  return row?.count ?? -1
}

async function keepResponses(how: { hours: number; count: number; prefix: string }): Promise<void> {
  await database.query(sql`
    insert into idempotency_keys (project_id, method, path, key, request_hash, status, body, created_at)
    select ${project}, 'POST', '/products', ${how.prefix} || number, '', 201, '{}',
           now() - make_interval(hours => ${how.hours}, secs => number)
    from generate_series(1, ${how.count}) as number`)
}

describe('background cleanup deletes everything outdated, even if one statement cannot', () => {
  beforeEach(async () => {
    await database.query(sql`truncate idempotency_keys`)
  })

  test('responses stored for an Idempotency-Key, except those of the last 24 hours', {
    tags: 'slow',
  }, async () => {
    await keepResponses({ hours: 25, count: rows, prefix: 'old-' })
    await keepResponses({ hours: 1, count: 3, prefix: 'new-' })
    await database.transaction((tx) =>
      tx.script(`
        create function delete_slowly() returns trigger language plpgsql as
          $$ begin perform pg_sleep(0.001); return old; end $$;
        create trigger slowly before delete on idempotency_keys for each row execute function delete_slowly()`),
    )
    onTestFinished(async () => {
      await database.query(sql`drop function delete_slowly cascade`)
    })
    await deleteOldResponses(hasty, signal)
    expect(await count('idempotency_keys')).toBe(3)
  })

  test('failed sign-ins and sessions, except those that still count', async () => {
    await database.query(sql`
      insert into sign_in_failures (key, failures, expires_at)
      select int4send(number), 1, case when number = 1 then now() + interval '1 hour' else now() - interval '1 hour' end
      from generate_series(1, ${rows}) as number`)
    await database.query(sql`
      with someone as (insert into users (email, name) values ('a@shop.example', 'A') returning id)
      insert into sessions (user_id, token_hash, expires_at)
      select id, number::text, case when number = 1 then now() + interval '1 hour' else now() - interval '1 hour' end
      from someone, generate_series(1, ${rows}) as number`)
    await deleteExpired(hasty, signal)
    expect([await count('sign_in_failures'), await count('sessions')]).toEqual([1, 1])
  })

  test('until it is stopped', async () => {
    await keepResponses({ hours: 30, count: 3, prefix: 'stopped-' })
    await deleteOldResponses(hasty, AbortSignal.abort())
    expect(await count('idempotency_keys')).toBe(3)
  })

  test('except a locked row', async () => {
    await keepResponses({ hours: 30, count: 3, prefix: 'locked-' })
    await database.transaction(async (tx) => {
      await tx.query(sql`select from idempotency_keys where key = 'locked-1' for update`)
      await deleteOldResponses(hasty, signal)
    })
    const left = await database.query(sql`select key from idempotency_keys`)
    expect(left).toEqual([{ key: 'locked-1' }])
  })
})

describe('scores of older rules', () => {
  const applied = async () => (await count('applied_quality_rules')) > 0

  async function addProducts(howMany: number): Promise<void> {
    await database.query(sql`
      insert into products (project_id, sku, name, search_text, quality_score, quality_failed, quality_rules_version)
      select ${project}, 'S-' || number, 'x', 'x', 1, '{}', 0 from generate_series(1, ${howMany}) as number`)
  }

  test('are all computed again without a new version; that of a locked product in the next run', {
    tags: 'slow',
  }, async () => {
    await addProducts(1_200)
    const input = checkInput(NewProductSchema, {
      sku: 'S-8a',
      name: 'A fine product',
      price: 5,
    } as NewProduct)
    const request = { projectId: project, author, ruleset: defaultRuleset, input }
    const written = await openProducts(database).create(database, request)
    await database.query(sql`
      update products set quality_score = 1, quality_failed = '{}', quality_rules_version = 0 where id = ${written.id}`)
    await database.transaction(async (tx) => {
      await tx.query(sql`select from products where sku = 'S-7' for update`)
      await applyDefaultRules(hasty, rulesets, signal)
    })
    const outdated = () => database.query(sql`select sku from products where quality_rules_version = 0`)
    expect(await outdated()).toEqual([{ sku: 'S-7' }])
    expect(await applied()).toBe(false)
    await applyDefaultRules(hasty, rulesets, signal)
    expect(await outdated()).toEqual([])
    expect(await applied()).toBe(true)
    const [scored] = await database.query(
      sql`select quality_score, quality_failed, version from products where id = ${written.id}`,
    )
    const { quality_score, quality_failed } = written
    expect(scored).toEqual({ quality_score, quality_failed, version: 1 })
  })
})
