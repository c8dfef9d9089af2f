import { expect, test } from 'vitest'
import { readRange } from './read-range.ts'

test.each([
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=90-200', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-200', { start: 0, end: 99 }],
  ['bytes=9-0', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,5-6', undefined],
  ['items=0-1', undefined],
  ['', undefined],
])('of 100 bytes, %s requests %j', (range, part) => {
  expect(readRange({ range }, '"tag"', 100)).toEqual(part)
})

test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])('%s is beyond the end', (range) => {
  expect(() => readRange({ range }, '"tag"', 100)).toThrow(
    expect.objectContaining({ problemCode: 'range_not_satisfiable' }),
  )
})

test('a part of another version is the complete file', () => {
  expect(readRange({ range: 'bytes=0-1', 'if-range': '"old"' }, '"tag"', 100)).toBeUndefined()
  expect(readRange({ range: 'bytes=0-1', 'if-range': '"tag"' }, '"tag"', 100)).toEqual({ start: 0, end: 1 })
})
