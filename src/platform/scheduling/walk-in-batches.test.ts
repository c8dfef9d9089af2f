import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { walkInBatches } from './walk-in-batches.ts'

test('batches are whole numbers from 1, grow while they are quick and shrink while they are slow', async () => {
  const sizes: number[] = []
  const quick = walkInBatches({ first: 12.5, most: 40, batchMilliseconds: 1_000 }, async (size) => {
    sizes.push(size)
    return sizes.length === 4 || undefined
  })
  await quick
  await walkInBatches({ first: 5, most: 40, batchMilliseconds: 1 }, async (size) => {
    sizes.push(size)
    await sleep(5)
    return sizes.length === 8 || undefined
  })
  expect(sizes).toEqual([12, 24, 40, 40, 5, 2, 1, 1])
})

test('a batch that is too large runs again with a quarter, and one item that is too large ends the walk', async () => {
  const sizes: number[] = []
  const walk = { first: 100, isTooLarge: (error: unknown) => (error as Error).message === 'too large' }
  const failing = (message: string) => async (size: number) => {
    sizes.push(size)
    throw new Error(message)
  }
  await expect(walkInBatches(walk, failing('too large'))).rejects.toThrow('too large')
  await expect(walkInBatches(walk, failing('broken'))).rejects.toThrow('broken')
  expect(sizes).toEqual([100, 25, 7, 2, 1, 100])
})

test('a batch of one item may fail for as long as the walk allows', async () => {
  let batches = 0
  const walk = { isTooLarge: () => true, maxRetryMilliseconds: 10_000 }
  const result = await walkInBatches(walk, async () => {
    batches += 1
    if (batches < 5) throw new Error('stalled')
    return 'done'
  })
  expect(result).toBe('done')
})

test('a walk ends when its turn is over or its signal aborts, after at least one batch of a turn', async () => {
  let batches = 0
  const count = async () => {
    batches += 1
    return undefined
  }
  expect(await walkInBatches({ turnMilliseconds: 0 }, count)).toBe(undefined)
  expect(await walkInBatches({ signal: AbortSignal.abort() }, count)).toBe(undefined)
  expect(batches).toBe(1)
})

test('the time of a batch that found nothing to do does not change the size', async () => {
  const sizes: number[] = []
  await walkInBatches({ first: 10, most: 40, batchMilliseconds: 1_000 }, async (size, keepSize) => {
    sizes.push(size)
    keepSize()
    return sizes.length === 3 || undefined
  })
  expect(sizes).toEqual([10, 10, 10])
})
