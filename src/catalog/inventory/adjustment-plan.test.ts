import { expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { openDatabase, type Queryable } from '../../platform/database/database.ts'
import { planEachTime, raw, type Statement, sql } from '../../platform/database/sql.ts'
import { addToStock } from './product-inventory.sql.ts'

type Node = { 'Relation Name'?: string; 'Index Name'?: string; 'Index Cond'?: string; Plans?: Node[] }

// The statistics of a shared server: one large project, and many small ones, so that the average project is small.
test('an adjustment finds its products by their key, however large their project is', {
  tags: 'slow',
}, async ({ skip }) => {
  const database = openDatabase({
    connection: await ownDatabase('adjustments'),
    poolSize: 1,
    statementTimeoutSeconds: 0,
  })
  whenFileEnds(database.close)
  const [server] = await database.query(
    sql<{ number: number }>`select current_setting('server_version_num')::int as number`,
  )
  skip((server?.number ?? 0) < 160_000, 'PostgreSQL 15 cannot explain a plan without values')
  await database.query(sql`insert into projects (name) select 'p' from generate_series(1, 2000)`)
  await database.query(sql`
    insert into products (project_id, sku, name, search_text, quality_score, quality_failed, quality_rules_version)
    select case when n <= 4000 then 1 else n - 3999 end, 'SKU-' || n, 'Name', 'name', 1, '{}', 1 from generate_series(1, 5999) as n`)
  await database.query(raw('vacuum analyze products'))
  let text = ''
  const listened: Queryable = {
    query: <Row>(statement: Statement<Row>) => {
      text = statement.text
      return database.query(statement)
    },
  }
  const author = { actor: 'tester', source: 'api' } as const
  const adjustment = { projectId: 1, id: 1, delta: 2, reason: 'Delivery', author }
  const [adjusted] = await addToStock(listened, [adjustment, adjustment], { skipsLocked: true })
  expect(adjusted).toMatchObject({ is_applied: true, quantity: 2 })

  const [row] = await database.query(
    planEachTime(sql<{ 'QUERY PLAN': [{ Plan: Node }] }>`explain (format json, generic_plan) ${raw(text)}`),
  )
  const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
  const reads = nodesOf(row?.['QUERY PLAN'][0].Plan as Node).filter(
    (node) => node['Relation Name'] === 'products' && node['Index Name'] !== undefined,
  )
  expect(reads.length).toBeGreaterThanOrEqual(2)
  for (const read of reads) {
    expect(read['Index Name']).toBe('products_pkey')
    expect(read['Index Cond']).toMatch(/\bid = /)
  }
})
