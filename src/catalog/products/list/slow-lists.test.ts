import { expect, test } from 'vitest'
import { ownDatabase } from '../../../../test/database/test-database.ts'
import { startTestService } from '../../../../test/harness.ts'
import { raw } from '../../../platform/database/sql.ts'

const limit = 3_000
/** The time that a response takes on a busy machine, in addition to the limit. */
const tolerance = 2_800

const paths = [
  'search=lamp',
  'search=tent',
  'search=mug%20red',
  'search=lamp&ordering=name',
  'ordering=-price',
]

test('a list that cannot be read is rejected one time limit after its request arrived, whatever it waits for', {
  tags: 'slow',
}, async () => {
  const service = await startTestService({ statementTimeoutSeconds: limit / 1000 }, await ownDatabase('slow'))
  const shop = await service.tenant()
  await shop.call('/v2/products', { method: 'POST', body: { sku: 'LAMP-1', name: 'Lamp' } })
  const times = await service.database.transaction(async (tx) => {
    await tx.query(raw('lock table products in access exclusive mode'))
    const timed = async (path: string) => {
      const start = performance.now()
      const { body } = await shop.call(`/v2/products?${path}`)
      expect(body.code).toMatch(/^(query_timeout|too_busy)$/)
      return performance.now() - start
    }
    const all: Promise<number>[] = []
    for (let round = 0; round < 12; round += 1) {
      all.push(...paths.map(timed))
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    return Promise.all(all)
  })
  expect(Math.max(...times)).toBeLessThan(limit + tolerance)
  expect((await shop.call('/v2/products?search=lamp')).body.count).toBe(1)
})
