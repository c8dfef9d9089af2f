import { foldCase, splitWords } from '../../platform/database/statements/search-text.ts'
import { listLimits } from '../limits.ts'

/** A word of a search for `match=close` or `ordering=relevance`. */
export type SearchWord = {
  /** Folded, without separators at its ends. */
  text: string
  /** Finds the word, also within other words. With `match=close`, it finds words with one typo too, if the word is not too short. */
  pattern: string
  /** A short word only affects the order, unless all words are short: most of them would be a typo of most others. */
  isRequired: boolean
}

/**
 * What words are separated by. Listed, because the classes of a regular expression depend on the locale of the server. With other
 * separators than these, a trigram index does not find short words in the C locale.
 */
const separator = '[\\s!-/:-@[-`{-~]'
const start = `(?:^|${separator})`
const end = `(?:$|${separator})`
const outerSeparators = new RegExp(`^${separator}+|${separator}+$`, 'gu')

const oneSeparator = new RegExp(separator, 'u')

export function isSeparator(letter: string): boolean {
  return oneSeparator.test(letter)
}

const fewestLetters = 3

export function searchWords(search: string, isClose: boolean): SearchWord[] {
  const texts = new Set(splitWords(foldCase(search)).map((word) => word.replace(outerSeparators, '') || word))
  const isShort = (text: string) => [...text].length < fewestLetters
  const isExact = !isClose || [...texts].every(isShort)
  return Array.from(texts, (text) => ({
    text,
    pattern: isExact || !hasTypos(text) ? escaped(text) : `${escaped(text)}|${typoPattern(text)}`,
    isRequired: isExact || !isShort(text),
  }))
}

/** Every letter is a typo of every other. A long word has so many variants that finding them would take long. */
function hasTypos(text: string): boolean {
  const letters = [...text].length
  return letters > 1 && letters <= listLimits.closeLetters
}

/** The pattern for text that has the word as a whole, or at the beginning of a word. */
export function wholePattern({ text }: SearchWord): string {
  return `${start}${escaped(text)}${end}`
}

export function beginningPattern({ text }: SearchWord): string {
  return `${start}${escaped(text)}`
}

/**
 * A pattern for words that differ by one typo: one letter is missing, added or wrong, or two are swapped. A trigram index finds them
 * by the unchanged part, where a similarity of trigrams would miss most typos in words of up to eight letters.
 */
function typoPattern(text: string): string {
  const letters = [...text]
  const part = (from: number, to?: number) => escaped(letters.slice(from, to).join(''))
  const typos = letters.flatMap((letter, at) => {
    const [before, after] = [part(0, at), part(at + 1)]
    const next = letters[at + 1]
    return [
      `${before}.?${after}`,
      `${before}.${escaped(letter)}${after}`,
      ...(next === undefined ? [] : [`${before}${escaped(next + letter)}${part(at + 2)}`]),
    ]
  })
  return `${start}(?:${typos.join('|')}|${part(0)}.)${end}`
}

/** Escapes only what both PostgreSQL and JavaScript require. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
