import { foldCase } from '../../../platform/database/statements/search-text.ts'
import { listLimits } from '../../limits.ts'

/** Words of fewer letters differ by one letter too often, and numbers that differ are meant. */
const typoLetters = 4

export function nameWords(name: string): string[] {
  return foldCase(name).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}

/** The similarity of pg_trgm: the trigrams that both names have, divided by the trigrams of either. */
export function nameSimilarity(one: readonly string[], other: readonly string[]): number {
  const trigrams = trigramsOf(one)
  const others = trigramsOf(other)
  const common = trigrams.intersection(others).size
  return common / Math.max(1, trigrams.size + others.size - common)
}

function trigramsOf(words: readonly string[]): Set<string> {
  const trigrams = new Set<string>()
  for (const word of words) {
    const letters = [' ', ' ', ...word, ' ']
    for (let at = 0; at + 2 < letters.length; at += 1) trigrams.add(letters.slice(at, at + 3).join(''))
  }
  return trigrams
}

/** Gives other requests their turns, and reports when the time is over. Long computations ask after each step. */
export type Budget = { pass(): Promise<void> | undefined; isSpent(): boolean }

/**
 * The words that differ from each word by one typo: a missing, added or wrong letter, or two swapped letters. Words with a typo
 * become equal if both lose a letter, so only those are compared. Some are missing once the budget is spent.
 */
export async function wordsWithTypo(
  words: Iterable<string>,
  { pass, isSpent }: Budget,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  const byShortened = new Map<string, string[]>()
  for (const word of words) {
    if (isSpent()) break
    if (!canHaveTypo(word)) continue
    const near = new Set<string>()
    for (const shortened of shortenedForms(word)) {
      for (const other of byShortened.get(shortened) ?? []) if (isTypo(word, other)) near.add(other)
      addTo(byShortened, shortened, word)
    }
    for (const other of near) {
      addTo(found, word, other)
      addTo(found, other, word)
    }
    const turn = pass()
    if (turn !== undefined) await turn
  }
  return found
}

export function addTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const others = map.get(key)
  if (others === undefined) map.set(key, [value])
  else others.push(value)
}

function canHaveTypo(word: string): boolean {
  return word.length >= typoLetters && word.length <= listLimits.closeLetters && !/\p{N}/u.test(word)
}

function shortenedForms(word: string): Set<string> {
  const forms = new Set([word])
  for (let at = 0; at < word.length; at += 1) forms.add(word.slice(0, at) + word.slice(at + 1))
  return forms
}

function isTypo(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  let end = 0
  const most = Math.min(one.length, other.length) - start
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end += 1
  const [left, right] = [one, other].map((word) => word.slice(start, word.length - end)) as [string, string]
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left === `${right[1]}${right[0]}`
}
