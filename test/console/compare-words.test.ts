import { expect, test } from 'vitest'
import { compareWords, foldPart } from '../../console/parts/format/compare-words.ts'

test('the context of a change consists of whole words', () => {
  const text = 'one two three four five six seven eight nine ten '.repeat(4)
  const parts = compareWords(`${text}old ${text}`, `${text}new ${text}`)
  const [start, , , end] = parts.map(foldPart).map((part) => part.text)
  for (const context of [start, end])
    expect(text).toContain(context?.replace('…', '').trim().split(/\s+/).slice(0, 5).join(' '))
  expect(start).toMatch(/^ … (?:\w+ )+$/)
  expect(start?.split(' ').filter((word) => /\w/.test(word))).toEqual(
    expect.arrayContaining(['eight', 'nine', 'ten']),
  )
})

test('a word that is longer than the context is cut, so that a change without spaces stays short', () => {
  const word = 'x'.repeat(500)
  const long = { kind: 'same', text: word } as const
  expect(foldPart(long, 0, [long, { kind: 'added', text: ' new' }]).text.length).toBeLessThan(80)
})
