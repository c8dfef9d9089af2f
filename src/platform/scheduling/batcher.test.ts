import { expect, test } from 'vitest'
import { createBatcher, settle, shareRuns } from './batcher.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Doubles numbers, by batches of one group; each batch takes a turn. */
function doubler(options: { sharesKeys?: boolean; sizeOf?: (item: number) => number } = {}) {
  const batches: number[][] = []
  const double = createBatcher<number, number>({
    groupOf: () => 0,
    keyOf: (item) => item % 10,
    ...(options.sharesKeys === true && { join: () => {} }),
    ...(options.sizeOf && { sizeOf: options.sizeOf, maxSize: 100 }),
    maxItems: () => 3,
    async run(batch) {
      batches.push(batch.map(({ item }) => item))
      await turn()
      await Promise.all(batch.map((one) => settle(one, async (item) => item * 2)))
      return undefined
    },
  })
  return { batches, double }
}

test('items with the same key share a result, or run one after another in their order', async () => {
  const sharing = doubler({ sharesKeys: true })
  expect(await Promise.all([1, 11, 2].map(sharing.double))).toEqual([2, 2, 4])
  expect(sharing.batches).toEqual([[1, 2]])
  const apart = doubler()
  expect(await Promise.all([1, 11, 2, 21].map(apart.double))).toEqual([2, 22, 4, 42])
  expect(apart.batches).toEqual([[1, 2], [11], [21]])
})

test('a batch takes no further item once it is large enough', async () => {
  const { batches, double } = doubler({ sizeOf: (item) => item })
  await Promise.all([60, 61, 1].map(double))
  expect(batches).toEqual([[60, 61], [1]])
})

test('items that wait behind a batch that cannot succeed are rejected with its failure, and later ones run', async () => {
  const batches: number[][] = []
  const run = createBatcher<number, number>({
    groupOf: () => 0,
    keyOf: (item) => item,
    maxItems: () => 1,
    async run([one]) {
      batches.push([one?.item ?? 0])
      await turn()
      return one && settle(one, async (item) => (item === 1 ? Promise.reject(new Error('away')) : item))
    },
  })
  const results = await Promise.allSettled([1, 2, 3].map(run))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await run(4)).toBe(4)
  expect(batches).toEqual([[1], [4]])
})

test('callers that arrive while the work runs share one further run, also after a failure', async () => {
  let runs = 0
  const work = shareRuns(async () => {
    runs += 1
    await turn()
    if (runs === 1) throw new Error('first')
    return runs
  })
  const first = work()
  while (runs === 0) await turn()
  const others = Promise.all([work(), work()])
  await expect(first).rejects.toThrow('first')
  expect(await others).toEqual([2, 2])
})
