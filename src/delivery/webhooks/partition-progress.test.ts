import { expect, test } from 'vitest'
import { withDelivered, withReplay } from './partition-progress.sql.ts'

const at = (number: number, position = 1) => ({ number, position })

test('a replay goes back, and with an end goes on from where the lane was', () => {
  expect(withReplay({ at: at(9) }, at(3), undefined)).toEqual({ at: at(3) })
  expect(withReplay({ at: at(9) }, at(3), at(5))).toEqual({
    at: at(3),
    replay: { to: at(5), resume: at(9) },
  })
  // Up to the lane's own place and beyond: it comes there anyway.
  expect(withReplay({ at: at(9) }, at(3), at(9))).toEqual({ at: at(3) })
})

test('a replay of what the lane has not delivered yet changes nothing', () => {
  const lane = { at: at(9, 2) }
  expect(withReplay(lane, at(9, 2), undefined)).toBe(lane)
  expect(withReplay(lane, at(12), at(15))).toBe(lane)
})

test('a replay beside another delivers both, and forgets nothing of the lane', () => {
  const first = withReplay({ at: at(20) }, at(10), at(12))
  expect(withReplay(first, at(5), at(6))).toEqual({ at: at(5), replay: { to: at(12), resume: at(20) } })
  expect(withReplay(first, at(11), at(15))).toEqual({ at: at(10), replay: { to: at(15), resume: at(20) } })
  expect(withReplay(first, at(5), undefined)).toEqual({ at: at(5) })
})

test('a lane that has delivered the last event of a replay goes on where it was', () => {
  const lane = { at: at(3), replay: { to: at(5, 2), resume: at(9) } }
  expect(withDelivered(lane, at(5, 1))).toEqual({ at: at(5, 1), replay: lane.replay })
  expect(withDelivered(lane, at(5, 2))).toEqual({ at: at(9) })
  expect(withDelivered({ at: at(3) }, at(4))).toEqual({ at: at(4) })
})
