import { expect, test } from 'vitest'
import { batchSize } from './batch-size.ts'

test('batches are whole numbers from 1, grow while they are quick and shrink while they are slow', () => {
  const size = batchSize(12.5, 40, 100)
  expect(size.next()).toBe(12)
  size.took(10)
  size.took(10)
  expect(size.next()).toBe(40)
  for (let slow = 0; slow < 10; slow += 1) size.took(1_000)
  expect(size.next()).toBe(1)
  expect(batchSize(0.2, 40, 100).next()).toBe(1)
})
