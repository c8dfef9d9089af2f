import { expect, test } from 'vitest'
import { doublingPauses, pauseAfter, repeat, retry, waitUntil } from './retry.ts'

const failing = (error: string, attempts: number[]) => async (failures: number) => {
  attempts.push(failures)
  throw new Error(error)
}

test('pauses double up to the longest, which repeats until the last attempt', () => {
  const policy = { attempts: 6, pauses: doublingPauses(1_000, 5_000) }
  expect([1, 2, 3, 4, 5, 6].map((failures) => pauseAfter(failures, policy))).toEqual([
    ...[1_000, 2_000, 4_000, 5_000, 5_000],
    undefined,
  ])
})

test('a pause varies by its jitter, and by nothing else', () => {
  const policy = { pauses: [1_000], jitter: 0.2 }
  expect([0, 0.5, 1].map((chance) => pauseAfter(1, policy, chance))).toEqual([800, 1_000, 1_200])
})

test('work runs as often as the policy allows, and then fails with the last error', async () => {
  const attempts: number[] = []
  const policy = { attempts: 3, isRetryable: () => true }
  await expect(retry(policy, failing('busy', attempts))).rejects.toThrow('busy')
  const exhausted = (error: unknown) => new Error(`gave up: ${(error as Error).message}`)
  await expect(retry({ ...policy, exhausted }, failing('busy', attempts))).rejects.toThrow('gave up: busy')
  expect(attempts).toEqual([0, 1, 2, 0, 1, 2])
})

test('an error that would occur again ends the work at once', async () => {
  const attempts: number[] = []
  await expect(retry({ isRetryable: () => false }, failing('wrong', attempts))).rejects.toThrow('wrong')
  expect(attempts).toEqual([0])
})

test('work that finds nothing yet is repeated until it finds something', async () => {
  expect(await repeat({ attempts: 5 }, async (failures) => (failures === 3 ? 'found' : undefined))).toBe(
    'found',
  )
  expect(await repeat({ attempts: 3 }, async (failures) => (failures === 3 ? 'found' : undefined))).toBe(
    undefined,
  )
})

test('a wait ends when its condition is true or its time is over', async () => {
  let asked = 0
  expect(await waitUntil(() => ++asked === 3, 1, 10_000)).toBe(true)
  expect(await waitUntil(async () => false, 5, 20)).toBe(false)
})
