import { foldCase } from '../../../platform/database/statements/search-text.ts'
import { listLimits } from '../../limits.ts'
import { matchFields, matchKinds, type SearchMatch } from '../product-list.schema.ts'
import { beginningPattern, isSeparator, type SearchWord, wholePattern } from '../search-words.ts'
import { missing } from './relevance.sql.ts'

/** A product, with the level of each word of the search. */
export type Leveled = { levels: number[] } & { [Field in (typeof matchFields)[number]]?: string | null }

/** Letters before and after a match in a long text. */
const context = 40

/** How the product matches, for the word that matches least. A word that the product lacks is short and not required. */
export function explainMatch(row: Leveled, words: SearchWord[]): SearchMatch {
  const levels = row.levels.map((level) => (level < missing ? level : -1))
  const level = Math.max(...levels)
  const word = words[levels.indexOf(level)] as SearchWord
  const kind = matchKinds[Math.floor(level / matchFields.length)] as SearchMatch['kind']
  const field = matchFields[level % matchFields.length] as SearchMatch['field']
  const margin = field === 'name' || field === 'sku' ? 0 : context
  return { field, kind, term: word.text, text: excerpt(row[field] ?? '', word, margin) }
}

/** The matching words of a text as it is written, with the words around them. */
function excerpt(text: string, word: SearchWord, margin: number): string {
  const { folded, places } = foldLetters(text)
  const [from, to] = findWord(folded, word)
  let start = Math.max(0, (places[from] ?? 0) - margin)
  let end = Math.min(text.length, (places[to] ?? text.length) + margin)
  while (start > 0 && !isSeparator(text[start - 1] as string)) start -= 1
  while (end < text.length && !isSeparator(text[end] as string)) end += 1
  return text.slice(start, Math.min(end, start + listLimits.matchCharacters)).toWellFormed()
}

/** The place of the word in folded text, without separators around it; the beginning if it is not found. */
function findWord(folded: string, word: SearchWord): [from: number, to: number] {
  for (const pattern of [wholePattern(word), beginningPattern(word), word.pattern]) {
    const found = new RegExp(pattern, 'su').exec(folded)
    if (found === null) continue
    let from = found.index
    let to = from + found[0].length
    while (from < to && isSeparator(folded[from] as string)) from += 1
    while (to > from && isSeparator(folded[to - 1] as string)) to -= 1
    return [from, to]
  }
  return [0, 0]
}

/** Folds letter by letter, so that each place of the folded text has a place in the text. */
function foldLetters(text: string): { folded: string; places: number[] } {
  const places: number[] = []
  let folded = ''
  let place = 0
  for (const letter of text) {
    const one = foldCase(letter)
    for (let unit = 0; unit < one.length; unit += 1) places.push(place)
    folded += one
    place += letter.length
  }
  return { folded, places }
}
