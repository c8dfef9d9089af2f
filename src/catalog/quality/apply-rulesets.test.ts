import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { createProject } from '../../access/projects/manage-project.ts'
import { defaultRulesVersion } from '../../model/quality/default-rules.ts'
import type { QualityRule } from '../../model/quality/quality-rule.schema.ts'
import { type Database, openDatabase, type Writable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { openRulesets, type Rulesets } from '../rulesets/rulesets.ts'
import { applyDefaultRules } from './apply-default-rules.ts'
import { scoreProject } from './apply-rulesets.ts'
import { changeRules, readRules } from './change-rules.ts'

const { signal } = new AbortController()
const author = { actor: 'tester', source: 'api' } as const
const priced: QualityRule = { code: 'priced', kind: 'price_present', points: 1 }
const sorted: QualityRule = { code: 'sorted', kind: 'category_count', points: 1 }
const atOnce = { settleSeconds: 0, retrySeconds: 0 }
/** Runs until there is nothing left to do. */
const turn = { signal, milliseconds: 60_000 }

let database: Database
let rulesets: Rulesets
beforeAll(async () => {
  database = openDatabase({
    connection: await ownDatabase('rulesets'),
    poolSize: 6,
    statementTimeoutSeconds: 20,
  })
  rulesets = openRulesets(database)
  await database.transaction((tx) =>
    tx.script(`
      create table scored_again (project_id bigint, id bigint);
      create function log_scored() returns trigger language plpgsql as
        $$ begin insert into scored_again values (new.project_id, new.id); return new; end $$;
      create trigger log_scored after update of quality_score on products for each row execute function log_scored()`),
  )
})
afterAll(() => database.close())

async function projectWith(products: number): Promise<number> {
  const { id } = await createProject(database, { name: 'tester' }, { name: 'Scored' })
  await database.query(sql`
    insert into products (project_id, sku, name, search_text, quality_score, quality_failed, quality_rules_version)
    select ${id}, 'S-' || number, 'x', 'x', 77, '{}', ${defaultRulesVersion} from generate_series(1, ${products}::int) as number`)
  return id
}

async function progressOf(project: number) {
  const [row] = await database.query(
    sql<{ ruleset: number }>`select ruleset from projects where id = ${project}`,
  )
  return (await readRules(database, project, row?.ruleset ?? 0)).progress
}

async function countOf(
  table: 'products' | 'scored_again' | 'rulesets' | 'scoring_jobs',
  project: number,
  condition = sql`true`,
) {
  const [row] = await database.query(sql<{ count: number }>`
    select count(*) from ${tables[table]} where project_id = ${project} and ${condition}`)
  return row?.count
}
const tables = {
  products: sql`products`,
  scored_again: sql`scored_again`,
  rulesets: sql`rulesets`,
  scoring_jobs: sql`scoring_jobs`,
}

async function wake(project: number): Promise<void> {
  await database.query(sql`update scoring_jobs set due_at = now() where project_id = ${project}`)
}

/** The connection breaks during the last of these transactions. */
function killedAfter(transactions: number): Writable {
  let left = transactions
  return {
    query: database.query,
    transaction: (work, limits) =>
      database.transaction(async (tx) => {
        const result = await work(tx)
        if (left-- === 0) throw new Error('killed')
        return result
      }, limits),
  }
}

test('two processes score more than a thousand products once each, with progress, although one is killed', {
  tags: 'slow',
}, async () => {
  const project = await projectWith(1_500)
  const versions = () =>
    database.query(sql`
      select md5(string_agg(concat(id, version, updated_at), ',' order by id)) from products where project_id = ${project}`)
  const before = await versions()
  await changeRules(database, project, author, [priced])
  expect(await progressOf(project)).toEqual({ scored: 0, products: 1_500 })
  await expect(scoreProject(killedAfter(5), rulesets, project, turn)).rejects.toThrow('killed')
  const { scored } = (await progressOf(project)) as { scored: number }
  expect([scored > 0, scored < 1_500]).toEqual([true, true])
  const other = openRulesets(database)
  await Promise.all([
    scoreProject(database, rulesets, project, turn),
    scoreProject(database, other, project, turn),
  ])
  await scoreProject(database, rulesets, project, turn)
  expect(await progressOf(project)).toEqual({ scored: 1_500, products: 1_500 })
  expect(
    await countOf(
      'products',
      project,
      sql`quality_ruleset = 1 and quality_score = 0 and quality_failed = '{priced}'`,
    ),
  ).toBe(1_500)
  expect(await countOf('scored_again', project)).toBe(1_500)
  expect(await versions()).toEqual(before)
})

test('a product that is written with the older ruleset behind the walk is scored before completion', async () => {
  const project = await projectWith(5)
  await changeRules(database, project, author, [priced])
  await scoreProject(database, rulesets, project, turn)
  await database.query(
    sql`update products set quality_ruleset = 0, quality_score = 50 where project_id = ${project} and sku = 'S-3'`,
  )
  expect(await progressOf(project)).toEqual({ scored: 5, products: 5 })
  await wake(project)
  await scoreProject(database, rulesets, project, turn, atOnce)
  expect(await progressOf(project)).toBeNull()
  expect(await countOf('products', project, sql`quality_ruleset = 1 and quality_score = 0`)).toBe(5)
})

test('a locked product is scored once it is unlocked', async () => {
  const project = await projectWith(5)
  await changeRules(database, project, author, [priced])
  await database.transaction(async (tx) => {
    await tx.query(sql`select from products where project_id = ${project} and sku = 'S-3' for update`)
    await scoreProject(database, rulesets, project, turn)
    expect(await progressOf(project)).toEqual({ scored: 4, products: 5 })
  })
  await wake(project)
  await scoreProject(database, rulesets, project, turn, atOnce)
  expect(await progressOf(project)).toBeNull()
})

test('a change during the walk restarts it, and unused older versions are deleted much later', async () => {
  const project = await projectWith(250)
  await changeRules(database, project, author, [priced])
  await expect(scoreProject(killedAfter(1), rulesets, project, turn)).rejects.toThrow('killed')
  await changeRules(database, project, author, [sorted])
  expect(await progressOf(project)).toEqual({ scored: 0, products: 250 })
  await scoreProject(database, rulesets, project, turn, atOnce)
  expect(await progressOf(project)).toBeNull()
  expect(await countOf('products', project, sql`quality_failed = '{sorted}'`)).toBe(250)
  expect(await countOf('rulesets', project)).toBe(2)
  await wake(project)
  await scoreProject(database, rulesets, project, turn, atOnce)
  expect([await countOf('rulesets', project), await countOf('scoring_jobs', project)]).toEqual([1, 0])
})

test('a new version of the default rules scores a project with its own rules by its own rules', {
  tags: 'slow',
}, async () => {
  const project = await projectWith(3)
  const plain = await projectWith(3)
  await changeRules(database, project, author, [priced])
  await scoreProject(database, rulesets, project, turn, atOnce)
  await database.query(sql`update products set quality_rules_version = 0`)
  await applyDefaultRules(database, rulesets, signal)
  expect(await countOf('products', project, sql`quality_ruleset = 1 and quality_failed = '{priced}'`)).toBe(3)
  expect(await countOf('products', plain, sql`quality_ruleset = 0 and quality_failed @> '{sku_form}'`)).toBe(
    0,
  )
  expect(await countOf('products', plain, sql`quality_failed @> '{price_present}'`)).toBe(3)
})
