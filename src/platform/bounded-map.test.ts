import { expect, test } from 'vitest'
import { boundedMap } from './bounded-map.ts'

test('the value that was set longest ago is forgotten first', () => {
  const values = boundedMap<string, number>(2)
  values.set('a', 1)
  values.set('b', 2)
  values.set('a', 3)
  values.set('c', 4)
  expect(['a', 'b', 'c'].map(values.get)).toEqual([3, undefined, 4])
  values.delete('a')
  expect(['a', 'b', 'c'].map(values.has)).toEqual([false, false, true])
})
