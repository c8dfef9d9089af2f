import { expect, test } from 'vitest'
import { sharedBuffers } from './server-memory.ts'

const gibibyte = 1024 ** 3

test.each([
  [gibibyte / 4, 128],
  [gibibyte, 256],
  [4 * gibibyte, 1024],
  [64 * gibibyte, 2048],
])('the server of a machine with %d bytes keeps %d MiB of the tables in memory', (total, expected) => {
  expect(sharedBuffers(total)).toBe(expected)
})
