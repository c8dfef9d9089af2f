import { expect, test } from 'vitest'
import { faults } from './faults.ts'
import { findNamedTests } from './named-tests.ts'

test('every fault has a test with its number', () => {
  const tried = new Set([...findNamedTests().values()].flatMap((numbers) => [...numbers]))
  const known = Object.keys(faults).map(Number)
  // 38 and 39 are faults of features that do not exist yet.
  expect(known).toEqual([...Array.from({ length: 37 }, (_, index) => index + 1), 40, 41, 42, 43, 44, 45])
  expect(known.filter((number) => !tried.has(number))).toEqual([])
  expect([...tried].filter((number) => !(number in faults))).toEqual([])
})
