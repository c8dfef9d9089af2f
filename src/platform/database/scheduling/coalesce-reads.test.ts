import { expect, test } from 'vitest'
import { DatabaseFailure } from '../failures.ts'
import { coalesceReads } from './coalesce-reads.ts'

/** Two callers of one read, and the signal that the read was given. */
async function readTogether() {
  const read = coalesceReads<string>()
  const callers = [new AbortController(), new AbortController()]
  const begun = Promise.withResolvers<AbortSignal>()
  const load = (signal: AbortSignal) => {
    begun.resolve(signal)
    return new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      setImmediate(() => setImmediate(resolve, 'read'))
    })
  }
  const results = callers.map(({ signal }) => read('id', load, signal))
  return { callers, results, signal: await begun.promise }
}

test('a read that several callers share goes on while one of them stays', async () => {
  const { callers, results, signal } = await readTogether()
  callers[0]?.abort(new Error('left'))
  expect(await results[1]).toBe('read')
  expect(signal.aborted).toBe(false)
})

test('a read that several callers share ends when all of them have left', async () => {
  const { callers, results } = await readTogether()
  for (const caller of callers) caller.abort(new Error('left'))
  expect(await Promise.allSettled(results)).toMatchObject(
    Array(2).fill({ status: 'rejected', reason: { message: 'left' } }),
  )
})

test('a caller that waits behind a read that finds the server away is refused with it', async () => {
  const read = coalesceReads<string>()
  const { signal } = new AbortController()
  const { promise: hangs, reject: giveUp } = Promise.withResolvers<string>()
  const { promise: began, resolve: begin } = Promise.withResolvers<void>()
  let reads = 0
  const load = () => {
    reads += 1
    begin()
    return hangs
  }
  const first = read('id', load, signal)
  await began
  const outcomes = Promise.allSettled([first, read('id', load, signal)])
  giveUp(new DatabaseFailure('database_unavailable', new Error('Query read timeout')))
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(reads).toBe(1)
})
