import { expect, test } from 'vitest'
import type { ProductState } from './apply-line.ts'
import { findRepeatedSkus, rememberProducts } from './dry-run.ts'

function product(id: number, description: string, provenance: ProductState['provenance'] = {}): ProductState {
  const content = { description, short_description: '', attributes: {} } as unknown as ProductState['content']
  return {
    id,
    version: 1,
    quality_score: 0,
    quality_ruleset: 0,
    provenance,
    created: undefined,
    content,
    levels: { quantity: 0, reserved: 0 },
    steps: [],
    adjustments: [],
  }
}

test('the products that were stored last are remembered, up to the limit', () => {
  const memory = rememberProducts(10_000)
  for (const id of [1, 2, 3]) memory.store(`S-${id}`, product(id, 'x'.repeat(2_000)))
  memory.store('S-1', product(1, 'y'.repeat(2_000)))
  memory.store('S-4', product(4, 'x'.repeat(2_000)))
  const kept = [1, 2, 3, 4].map((id) => memory.find(`S-${id}`)?.content.description[0])
  expect(kept).toEqual(['y', undefined, 'x', 'x'])
  memory.store('S-5', product(5, 'x'.repeat(20_000)))
  expect([1, 2, 3, 4, 5].map((id) => memory.find(`S-${id}`))).toEqual(Array(5).fill(undefined))
})

test('provenance counts toward the limit', () => {
  const memory = rememberProducts(10_000)
  const names = Array.from({ length: 20 }, (_, index) => [`attributes.${index}`, {}])
  for (const id of [1, 2]) memory.store(`S-${id}`, product(id, 'x', Object.fromEntries(names)))
  expect([1, 2].map((id) => memory.find(`S-${id}`)?.id)).toEqual([undefined, 2])
})

const lineOf = (number: number, value: object) => ({
  number,
  bytes: Buffer.from(JSON.stringify(value)),
  spent: [],
})

test('SKUs that occur in several lines are found, regardless of other content', async () => {
  const lines = ['A', 'B', 'A', undefined, 'B', 'C'].map((sku, number) => lineOf(number, { sku }))
  expect(await findRepeatedSkus([...lines, undefined])).toEqual(new Set(['A', 'B']))
})

test('other requests run while a few large lines are read', { tags: 'slow' }, async () => {
  const numbers = Array.from({ length: 200_000 }, (_, number) => number)
  const lines = Array.from({ length: 30 }, (_, number) => lineOf(number, { sku: `L-${number}`, numbers }))
  let turns = 0
  let isReading = true
  const count = () => {
    turns += 1
    if (isReading) setImmediate(count)
  }
  setImmediate(count)
  await findRepeatedSkus(lines)
  isReading = false
  expect(turns).toBeGreaterThan(3)
})
