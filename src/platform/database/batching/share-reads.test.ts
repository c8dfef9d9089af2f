import { expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseFailure } from '../failures.ts'
import { shareReads } from './share-reads.ts'

/** Two callers of one read, and the signal that the read was given. */
async function readTogether() {
  const read = shareReads<string>()
  const callers = [new AbortController(), new AbortController()]
  const begun = Promise.withResolvers<AbortSignal>()
  const load = (signal: AbortSignal) => {
    begun.resolve(signal)
    return new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      setImmediate(() => setImmediate(resolve, 'read'))
    })
  }
  const results = callers.map(({ signal }) => read({ id: 'id', load, signal }))
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

test('a caller that waits behind a read fails with it if the server is unavailable', async () => {
  const read = shareReads<string>()
  const { signal } = new AbortController()
  const { promise: hangs, reject: giveUp } = Promise.withResolvers<string>()
  const { promise: began, resolve: begin } = Promise.withResolvers<void>()
  let reads = 0
  const load = () => {
    reads += 1
    begin()
    return hangs
  }
  const first = read({ id: 'id', load, signal })
  await began
  const outcomes = Promise.allSettled([first, read({ id: 'id', load, signal })])
  giveUp(new DatabaseFailure('database_unavailable', new Error('Query read timeout')))
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(reads).toBe(1)
})

/** A read that never ends, behind which others wait, with time under control. */
function hangingReads(isLong: boolean) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const read = shareReads<string>(5)
  let begun = 0
  const ends: (() => void)[] = []
  const load = () => {
    begun += 1
    return new Promise<string>((resolve) => ends.push(() => resolve('read')))
  }
  const outcomes: string[] = []
  const ask = (name: string) =>
    void read({ id: 'id', load, signal: undefined, isLong }).then(
      (value) => outcomes.push(`${name} ${value}`),
      ({ failure }) => outcomes.push(`${name} ${failure}`),
    )
  const turns = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return { ask, ends, outcomes, turns, begun: () => begun }
}

test('a caller leaves after one time limit, although the read that it waits for goes on', async () => {
  const { ask, ends, outcomes, turns, begun } = hangingReads(false)
  ask('first')
  await turns()
  vi.advanceTimersByTime(2_000)
  ask('second')
  await turns()
  vi.advanceTimersByTime(3_600)
  await turns()
  expect(outcomes).toEqual(['first query_timeout'])
  vi.advanceTimersByTime(2_000)
  await turns()
  expect(outcomes).toEqual(['first query_timeout', 'second too_busy'])
  // Nobody waits for the second read any more, so it does not start.
  ends[0]?.()
  await turns()
  expect(begun()).toBe(1)
})

test('a read of several statements may take longer once it has started, and those behind it may not', async () => {
  const { ask, ends, outcomes, turns } = hangingReads(true)
  ask('first')
  await turns()
  ask('second')
  await turns()
  vi.advanceTimersByTime(6_000)
  await turns()
  expect(outcomes).toEqual(['second too_busy'])
  ends[0]?.()
  await turns()
  expect(outcomes).toEqual(['second too_busy', 'first read'])
})
