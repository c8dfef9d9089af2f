import { expect, test } from 'vitest'
import { withDelivered, withReplay } from './partition-progress.sql.ts'

const at = (number: number, position = 1) => ({ number, position })

test('a replay moves a partition back; with an end, the partition resumes where it was', () => {
  expect(withReplay({ at: at(9) }, at(3), undefined)).toEqual({ at: at(3) })
  expect(withReplay({ at: at(9) }, at(3), at(5))).toEqual({
    at: at(3),
    replay: { to: at(5), resume: at(9) },
  })
  // The end is not before the partition's own position, so no jump is needed.
  expect(withReplay({ at: at(9) }, at(3), at(9))).toEqual({ at: at(3) })
})

test('a replay of undelivered events changes nothing', () => {
  const progress = { at: at(9, 2) }
  expect(withReplay(progress, at(9, 2), undefined)).toBe(progress)
  expect(withReplay(progress, at(12), at(15))).toBe(progress)
})

test('a second replay extends the first one and keeps the position to resume from', () => {
  const first = withReplay({ at: at(20) }, at(10), at(12))
  expect(withReplay(first, at(5), at(6))).toEqual({ at: at(5), replay: { to: at(12), resume: at(20) } })
  expect(withReplay(first, at(11), at(15))).toEqual({ at: at(10), replay: { to: at(15), resume: at(20) } })
  expect(withReplay(first, at(5), undefined)).toEqual({ at: at(5) })
})

test('after the last event of a replay, a partition resumes where it was', () => {
  const progress = { at: at(3), replay: { to: at(5, 2), resume: at(9) } }
  expect(withDelivered(progress, at(5, 1))).toEqual({ at: at(5, 1), replay: progress.replay })
  expect(withDelivered(progress, at(5, 2))).toEqual({ at: at(9) })
  expect(withDelivered({ at: at(3) }, at(4))).toEqual({ at: at(4) })
})
