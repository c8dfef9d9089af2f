import { expect, test } from 'vitest'
import { mapInTurns } from './map-in-turns.ts'

function block(milliseconds: number): number {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
  return milliseconds
}

test('items are mapped in order, and other work runs between turns', async () => {
  let turns = 0
  const others = setInterval(() => {
    turns += 1
  }, 1)
  const results = await mapInTurns([3, 2, 1, 4], block, { milliseconds: 1, rests: true })
  clearInterval(others)
  expect(results).toEqual([3, 2, 1, 4])
  expect(turns).toBeGreaterThanOrEqual(3)
})
