import { expect, test } from 'vitest'
import { findRepeatedSkus } from './repeated-skus.ts'

const lineOf = (number: number, value: object) => ({
  number,
  bytes: Buffer.from(JSON.stringify(value)),
  spent: [],
})

test('SKUs of several lines are found, whatever else a line has', async () => {
  const lines = ['A', 'B', 'A', undefined, 'B', 'C'].map((sku, number) => lineOf(number, { sku }))
  expect(await findRepeatedSkus([...lines, undefined])).toEqual(new Set(['A', 'B']))
})

test('other requests have their turn while few but large lines are read', async () => {
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
