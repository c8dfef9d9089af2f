import { readFileSync } from 'node:fs'
import { afterAll, expect, inject, test } from 'vitest'
import { openDatabase } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

const database = openDatabase({ connection: inject('connection'), poolSize: 1, statementTimeoutSeconds: 10 })
afterAll(() => database.close())

const decision = new URL('../../../docs/decisions/0036-which-index-serves-which-route.md', import.meta.url)

/** The tables that a new product writes to. */
const tables = [
  'products',
  'product_categories',
  'product_history',
  'product_counts',
  'product_references',
  'inventory_adjustments',
  'event_outbox',
  'event_feed',
]

test('every index that a new product fills is listed with the reason for it, and no other', async () => {
  const rows = readFileSync(decision, 'utf8').matchAll(/^\| `(\w+)` \| (.+?) \|/gm)
  const reasons = new Map([...rows].map(([, index, reason]) => [index, reason?.trim()]))
  const indexes = await database.query(sql<{ name: string }>`
    select indexrelid::regclass::text as name from pg_index
    where indrelid = any(${tables}::regclass[])`)
  expect([...reasons.keys()].sort()).toEqual(indexes.map(({ name }) => name).sort())
  expect([...reasons].filter(([, reason]) => !reason)).toEqual([])
})
