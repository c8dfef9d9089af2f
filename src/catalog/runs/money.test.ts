import { expect, test } from 'vitest'
import { costOf, fromMillionths, isFree, worstCase } from './money.ts'
import { isAllowed, runStates, stateAfterContinue, stopOf } from './run-states.ts'

test('costs are exact and rounded up to a millionth', () => {
  const prices = { input_price: 150_000n, output_price: 600_000n }
  expect(costOf({ input: 0, output: 0 }, prices)).toBe(0n)
  expect(costOf({ input: 1, output: 0 }, prices)).toBe(1n)
  expect(costOf({ input: 1_000_000, output: 1_000_000 }, prices)).toBe(750_000n)
  expect(worstCase(7, { ...prices, max_output_tokens: 3 })).toBe(3n)
  expect(fromMillionths(104_000)).toBe(0.104)
  expect([isFree(prices), isFree({ input_price: 0n, output_price: 0n })]).toEqual([false, true])
})

test('each action is possible in its states alone', () => {
  const states = (action: Parameters<typeof isAllowed>[0]) =>
    runStates.filter((state) => isAllowed(action, state))
  expect(states('pause')).toEqual(['sampling', 'running'])
  expect(states('continue')).toEqual(['waiting', 'stopped_at_budget', 'paused'])
  expect(states('cancel')).toEqual(['sampling', 'waiting', 'running', 'stopped_at_budget', 'paused'])
  expect(states('raise')).toEqual(states('cancel'))
})

test('a run stops only after its calls, and as the first of: done, what was requested, the end of the sample', () => {
  const run = { state: 'sampling', sample: 2, stop: null } as const
  const left = { calling: 0, waitingInSample: 0, waiting: 5 }
  const pause = { state: 'paused', reason: 'by_user' } as const
  expect(stopOf(run, { ...left, calling: 1 })).toBe(undefined)
  expect(stopOf(run, { ...left, waitingInSample: 1 })).toBe(undefined)
  expect(stopOf(run, left)).toEqual({ state: 'waiting', reason: null })
  expect(stopOf({ ...run, state: 'running' }, left)).toBe(undefined)
  expect(stopOf({ ...run, stop: pause }, left)).toEqual(pause)
  expect(stopOf({ ...run, stop: pause }, { ...left, waiting: 0 })).toEqual({ state: 'done', reason: null })
  const cancel = { state: 'cancelled', reason: 'by_user' } as const
  expect(stopOf({ ...run, stop: cancel }, { ...left, waiting: 0 })).toEqual(cancel)
  expect([stateAfterContinue('paused', 1), stateAfterContinue('paused', 0)]).toEqual(['sampling', 'running'])
})
