import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sharedTestService } from '../../../test/harness.ts'
import type { PushedLine } from './apply-line.ts'
import { planBatches } from './write-batches.ts'

test('batches are smaller if their products are large, and each new product has an ID', {
  tags: 'slow',
}, async () => {
  const service = await sharedTestService()
  const shop = await service.tenant()
  // Text that cannot be compressed.
  const attributes = Object.fromEntries(
    Array.from({ length: 90 }, (_, index) => [`text ${index}`, randomBytes(7_500).toString('base64')]),
  )
  for (const number of [0, 2, 4, 6]) {
    const body = { sku: `LARGE-${number}`, name: 'Large', attributes }
    expect((await shop.call('/v2/products', { method: 'POST', body })).status).toBe(201)
  }
  const skus = Array.from({ length: 8 }, (_, index) => `LARGE-${index}`)
  const lines = [...skus, 'LARGE-1'].map(
    (sku, index): PushedLine => ({ line: index + 1, sku, product: { sku, price: 1 }, bytes: 30 }),
  )
  async function* whole() {
    yield lines
  }
  const batches = []
  for await (const batch of planBatches(service.database, shop.project, whole(), true)) batches.push(batch)
  expect(batches.map(({ lines }) => lines.map(({ line }) => line))).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
    [7, 8, 9],
  ])
  const ids = new Map(batches.flatMap(({ ids }) => [...ids]))
  expect([...ids.keys()]).toEqual(['LARGE-1', 'LARGE-3', 'LARGE-5', 'LARGE-7'])
  expect([...ids.values()]).toEqual([...ids.values()].sort((a, b) => a - b))
})

test('a line after a large line of the same product counts as large', async () => {
  const service = await sharedTestService()
  const shop = await service.tenant()
  const product = { sku: 'GROWS', name: 'Grows' }
  const sizes = [900_000, 30, 30, 30, 30, 30, 30]
  async function* two() {
    yield sizes.slice(0, 3).map((bytes, line): PushedLine => ({ line, sku: 'GROWS', product, bytes }))
    yield sizes.slice(3).map((bytes, line): PushedLine => ({ line: line + 3, sku: 'GROWS', product, bytes }))
  }
  const batches = []
  for await (const { lines } of planBatches(service.database, shop.project, two(), false))
    batches.push(lines.map(({ line }) => line))
  expect(batches).toEqual([[0, 1], [2], [3], [4], [5], [6]])
})
