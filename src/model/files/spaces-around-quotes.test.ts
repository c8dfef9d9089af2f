import { expect, test } from 'vitest'
import { withoutSpacesAroundQuotes } from './spaces-around-quotes.ts'

/** In parts of every size: text that is held back at the end of one part is decided in the next. */
function inParts(text: string, delimiter: string): Set<string> {
  const results = Array.from({ length: text.length }, (_, index) => {
    const tidy = withoutSpacesAroundQuotes(delimiter)
    const parts = text.match(new RegExp(`[^]{1,${index + 1}}`, 'g')) ?? []
    return parts.map((part) => tidy(part)).join('') + tidy()
  })
  return new Set(results)
}

test.each([
  ['after a closing quote', '"a, b"   ,c\n', '"a, b",c\n'],
  ['before an opening quote', 'c ,  "a, b"\t\r\nd', 'c ,"a, b"\r\nd'],
  ['after a byte order mark', '\ufeff"a, b" ,c', '\ufeff"a, b",c'],
  ['at the end of the file', 'a,"b"  ', 'a,"b"'],
  ['but not inside of quotes', '" a "" b " ,x', '" a "" b ",x'],
  ['nor around text without quotes', ' a ,  b" c" , d ', ' a ,  b" c" , d '],
  ['nor before text that follows a closing quote', '"a" b ,"5" pipe', '"a" b ,"5" pipe'],
])('spaces are removed around quoted cells: %s', (_, text, tidied) => {
  expect(inParts(text, ',')).toEqual(new Set([tidied]))
})

test('a tab that is the delimiter is preserved', () => {
  expect(inParts('"a"\t"b" \t\t "c"', '\t')).toEqual(new Set(['"a"\t"b"\t\t"c"']))
})
