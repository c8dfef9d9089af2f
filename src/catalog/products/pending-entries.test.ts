import { expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService } from '../../../test/harness.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { addPendingEntries } from './pending-entries.sql.ts'

test('pending index entries are moved into the indexes, and searches find the same', {
  tags: 'slow',
}, async () => {
  const service = await startTestService({}, await ownDatabase('pending'))
  const shop = await service.tenant()
  const body = Array.from({ length: 300 }, (_, index) => ({ sku: `P-${index}`, name: `Lantern ${index}` }))
  await shop.call('/v2/products/bulk', { method: 'POST', body })
  await addPendingEntries(service.database.background)
  const [left] = await service.database.background.query(
    sql<{ pages: number }>`select gin_clean_pending_list('products_by_words'::regclass) as pages`,
  )
  expect(left?.pages).toBe(0)
  expect((await shop.call('/v2/products?search=lantern')).body.count).toBe(300)
})

test('a role that does not own the tables skips this without an error', async () => {
  const connection = await ownDatabase('pending')
  const owner = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 10 })
  const work = owner.transaction(async (tx) => {
    await tx.script('create role catalog_pending_reader; set local role catalog_pending_reader')
    await addPendingEntries(tx)
    throw new Error('undone')
  })
  await expect(work).rejects.toThrow('undone')
  await owner.close()
})
