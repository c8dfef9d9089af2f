import { expect, test } from 'vitest'
import { splitWords } from './search-text.ts'

test('a repeated word is searched for once', () => {
  expect(splitWords('  red lamp red\tlamp ')).toEqual(['red', 'lamp'])
})
