import { expect, test } from 'vitest'
import { startTestService } from '../../test/harness.ts'
import { planPortions } from './plan-portions.ts'
import type { PushedLine } from './read-pushed-lines.ts'

test('few lines are written together where the products that they change are large, and each new one has an id', async () => {
  const service = await startTestService()
  const shop = await service.tenant()
  const attributes = Object.fromEntries(
    Array.from({ length: 90 }, (_, index) => [`text ${index}`, 'x'.repeat(10_000)]),
  )
  for (const number of [0, 2, 4, 6]) {
    const body = { sku: `LARGE-${number}`, name: 'Large', attributes }
    expect((await shop.call('/v2/products', { method: 'POST', body })).status).toBe(201)
  }
  const skus = Array.from({ length: 8 }, (_, index) => `LARGE-${index}`)
  const lines = [...skus, 'LARGE-1'].map(
    (sku, index): PushedLine => ({ line: index + 1, sku, product: { sku, price: 1 } }),
  )
  async function* whole() {
    yield lines
  }
  const portions = []
  for await (const portion of planPortions(service.database, shop.project, whole(), true))
    portions.push(portion)
  expect(portions.map(({ lines }) => lines.map(({ line }) => line))).toEqual([
    [1, 2, 3, 4, 5],
    [6, 7, 8, 9],
  ])
  // LARGE-1 and LARGE-3, then LARGE-5 and LARGE-7; the second line of LARGE-1 needs no other.
  expect(portions.map(({ ids }) => ids.length)).toEqual([2, 2])
  const ids = portions.flatMap(({ ids }) => ids)
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
})
