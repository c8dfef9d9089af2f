import { expect, test } from 'vitest'
import { DatabaseFailure } from '../failures.ts'
import { batchByKey } from './batch-reads.ts'

const turn = () => new Promise((resolve) => setTimeout(resolve, 1))

function batched({ atOnce = 1 } = {}) {
  const statements: number[][] = []
  let running = 0
  let most = 0
  const read = batchByKey({
    keyOf: String,
    groupOf: (key: number) => (key < 1000 ? 'low' : 'high'),
    keysPerStatement: () => 3,
    atOnce,
    async load(keys) {
      statements.push(keys)
      running += 1
      most = Math.max(most, running)
      await turn()
      running -= 1
      if (keys.includes(13)) throw new Error('unlucky')
      return new Map(keys.map((key) => [String(key), -key]))
    },
  })
  return { read, statements, most: () => most }
}

test('simultaneous callers share statements with a maximum number of keys, and equal keys are read once', async () => {
  const { read, statements } = batched()
  expect(await Promise.all([1, 2, 2, 3, 4, 1].map(read))).toEqual([-1, -2, -2, -3, -4, -1])
  expect(statements).toEqual([[1, 2, 3], [4]])
})

test('a caller that arrives while a statement runs is served by the next one', async () => {
  const { read, statements } = batched()
  const first = read(1)
  while (statements.length === 0) await turn()
  expect(await Promise.all([first, read(1), read(2)])).toEqual([-1, -1, -2])
  expect(statements).toEqual([[1], [1, 2]])
})

test('a failed statement is reported to its own callers, and the next ones succeed', async () => {
  const { read } = batched()
  const outcomes = await Promise.allSettled([11, 12, 13, 14, 1013].map(read))
  expect(outcomes.map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
  expect(await read(11)).toBe(-11)
})

test('callers that wait behind a statement fail with it if the server is unavailable', async () => {
  const statements: number[][] = []
  const { promise: hangs, reject: giveUp } = Promise.withResolvers<Map<string, number>>()
  const read = batchByKey({
    keyOf: String,
    groupOf: () => 0,
    keysPerStatement: () => 3,
    load(keys: number[]) {
      statements.push(keys)
      return hangs
    },
  })
  const first = read(1)
  while (statements.length === 0) await turn()
  const outcomes = Promise.allSettled([first, read(2), read(3)])
  giveUp(new DatabaseFailure('database_unavailable', new Error('Query read timeout')))
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  await turn()
  expect(statements).toEqual([[1]])
})

test.each([1, 2])(
  '%d statements of a group are under way at once, and every caller is answered',
  async (atOnce) => {
    const { read, most } = batched({ atOnce })
    const keys = Array.from({ length: 200 }, (_, index) => index + 100)
    const responses = keys.map(async (key) => {
      if (key % 7 === 0) await turn()
      return read(key)
    })
    expect(await Promise.all(responses)).toEqual(keys.map((key) => -key))
    expect(most()).toBe(atOnce)
  },
)
