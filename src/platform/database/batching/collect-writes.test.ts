import { expect, test } from 'vitest'
import type { Queryable } from '../database.ts'
import { DatabaseFailure } from '../failures.ts'
import { collectWrites } from './collect-writes.ts'

const database = {} as Queryable

function counting(fail: () => Error | undefined) {
  const written: object[] = []
  const counts = collectWrites<number>(
    (sum, added) => sum + added,
    async (_database, values) => {
      const error = fail()
      if (error !== undefined) throw error
      written.push(Object.fromEntries(values))
    },
  )
  return { ...counts, written }
}

test('a flush writes what was collected since the last one, once', async () => {
  const { add, flush, written } = counting(() => undefined)
  for (const key of [1, 2, 1]) add(key, 1)
  await flush(database)
  await flush(database)
  add(2, 5)
  await flush(database)
  expect(written).toEqual([{ 1: 2, 2: 1 }, { 2: 5 }])
})

test.each([
  ['database_unavailable', { 1: 4 }],
  ['outcome_unknown', { 1: 3 }],
] as const)('after %s, the next flush writes only what cannot be written already', async (kind, expected) => {
  let error: Error | undefined = new DatabaseFailure(kind, new Error(kind))
  const { add, flush, written } = counting(() => error)
  add(1, 1)
  await expect(flush(database)).rejects.toThrow(kind)
  error = undefined
  add(1, 3)
  await flush(database)
  expect(written).toEqual([expected])
})
