import { expect, test } from 'vitest'
import { affordableCalls, roomOf, smallerLimit } from './affordable-calls.ts'

const worst = [10n, 10n, 10n]
const room = (limit: bigint, { reserved = 0, spent = 0 } = {}) => roomOf(limit, { reserved, spent })

test.each([
  ['all calls start if they fit', room(30n), null, false, { take: 3 }],
  ['a free model has no limit', null, null, true, { take: 3 }],
  ['near the end, calls run one at a time', room(29n), null, false, { take: 1 }],
  ['and wait for the call in progress', room(29n, { reserved: 10 }), null, true, { wait: true }],
  ['the budget of the month counts too', room(100n), room(29n), false, { take: 1 }],
  ['a call that cannot fit stops the run', room(29n, { spent: 20 }), null, false, { stop: 'run_budget' }],
  ['a month that is spent stops the run', null, room(29n, { spent: 20 }), false, { stop: 'month_budget' }],
  ['other runs may leave some of the month', null, room(29n, { reserved: 20 }), false, { wait: true }],
])('%s', (_name, ofRun, ofMonth, isCalling, expected) => {
  expect(affordableCalls(worst, ofRun, ofMonth, isCalling)).toEqual(expected)
})

test('the stricter of two monthly limits counts', () => {
  expect([smallerLimit(5n, 3n), smallerLimit(null, 3n), smallerLimit(5n, null)]).toEqual([3n, 3n, 5n])
  expect(smallerLimit(null, null)).toBe(null)
})
