import { expect, test } from 'vitest'
import { sql } from '../../src/platform/database/sql.ts'
import { sharedTestService } from '../harness.ts'
import { compareWrites } from './check-writes.ts'
import type { Ledger } from './writers.ts'

test('the check after a kill finds exactly the lost and the partial writes', async () => {
  const { database, tenant } = await sharedTestService()
  const shop = await tenant()
  const skus = ['whole', 'old', 'unlinked', 'unrecorded', 'uncounted', 'unknown'].map(
    (word) => `CHECKED-${word}`,
  )
  const body = skus.map((sku) => ({ sku, name: sku, categories: [{ name: 'C 1' }], attributes: { turn: 1 } }))
  await shop.call('/v2/products/bulk', { method: 'POST', body })
  const idOf = (word: string) =>
    sql`select id from products where project_id = ${shop.project} and sku = ${`CHECKED-${word}`}`
  await database.transaction(async (tx) => {
    await tx.query(sql`delete from product_categories where product_id in (${idOf('unlinked')})`)
    await tx.query(sql`delete from product_history where product_id in (${idOf('unrecorded')})`)
    await tx.query(sql`update products set quantity = 3 where id in (${idOf('uncounted')})`)
  })
  const content = { turn: 1, quantity: 0 }
  const ledger: Ledger = new Map(skus.map((sku) => [sku, { acknowledged: content }]))
  ledger.set('CHECKED-old', { acknowledged: { turn: 2, quantity: 0 } })
  ledger.set('CHECKED-unknown', { sent: { turn: 2, quantity: 0 } })
  ledger.set('CHECKED-gone', { acknowledged: content })
  ledger.set('CHECKED-never', { sent: content })
  expect(await compareWrites(database, ledger)).toEqual({
    lost: ['CHECKED-old', 'CHECKED-uncounted', 'CHECKED-gone'],
    torn: ['CHECKED-old', 'CHECKED-unlinked', 'CHECKED-unrecorded', 'CHECKED-uncounted', 'CHECKED-unknown'],
  })
})
