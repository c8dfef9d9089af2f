import { expect, test } from 'vitest'
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
