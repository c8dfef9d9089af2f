import { takeTurns } from '../../../platform/scheduling/map-in-turns.ts'
import { duplicateLimits } from '../../limits.ts'
import { addTo, type Budget, nameSimilarity, nameWords, wordsWithTypo } from './name-words.ts'

/** Positions of two names in the list. */
export type Pair = readonly [number, number]

type Bags = {
  words: string[][]
  /** For each name, the sum of its words' codes, which does not depend on their order. */
  sums: number[]
  bySum: Map<number, number[]>
  byLetters: Map<string, number[]>
}

function openBudget(milliseconds: number): Budget {
  const deadline = performance.now() + milliseconds
  return { pass: takeTurns({ rests: true }), isSpent: () => performance.now() > deadline }
}

/**
 * The pairs of names that have the same letters, the same words in any order, or the same words except for one typo. Looking
 * names up by the sum of their words' codes replaces comparing every name with every other.
 */
export async function findClosePairs(
  names: readonly string[],
  budgetMilliseconds: number = duplicateLimits.closeMilliseconds,
): Promise<{ pairs: Pair[]; isComplete: boolean }> {
  const budget = openBudget(budgetMilliseconds)
  const codes = new Map<string, number>()
  const bags = await bagsOf(names, codes, budget)
  const nearWords = await wordsWithTypo(codes.keys(), budget)
  const pairs: Pair[] = []
  for (const at of bags.words.keys()) {
    for (const other of candidates(at, bags, codes, nearWords)) {
      if (isClose(bags.words[at], bags.words[other])) pairs.push([at, other])
      if (pairs.length > duplicateLimits.closePairs)
        return { pairs: pairs.slice(0, duplicateLimits.closePairs), isComplete: false }
      const turn = budget.pass()
      if (turn !== undefined) await turn
      if (budget.isSpent()) return { pairs, isComplete: false }
    }
    await budget.pass()
    if (budget.isSpent()) return { pairs, isComplete: false }
  }
  return { pairs, isComplete: bags.words.length === names.length }
}

/** Of the first names only, if they have too many words. */
async function bagsOf(
  names: readonly string[],
  codes: Map<string, number>,
  { pass, isSpent }: Budget,
): Promise<Bags> {
  const bags: Bags = { words: [], sums: [], bySum: new Map(), byLetters: new Map() }
  for (const [at, name] of names.entries()) {
    if (isSpent() || codes.size > duplicateLimits.closeWords) break
    const words = nameWords(name)
    const sum = words.reduce((total, word) => total + codeOf(word, codes), 0)
    bags.words.push(words)
    bags.sums.push(sum)
    if (words.length > 0) {
      addTo(bags.bySum, sum, at)
      addTo(bags.byLetters, words.join(''), at)
    }
    await pass()
  }
  return bags
}

/** Random codes have different sums for different words. The sum of a name's words stays an exact integer. */
function codeOf(word: string, codes: Map<string, number>): number {
  const code = codes.get(word) ?? Math.floor(Math.random() * 2 ** 45)
  codes.set(word, code)
  return code
}

/** Later names, so that each pair occurs once. */
function candidates(
  at: number,
  { words: allWords, sums, bySum, byLetters }: Bags,
  codes: ReadonlyMap<string, number>,
  nearWords: ReadonlyMap<string, string[]>,
): Set<number> {
  const words = allWords[at] ?? []
  const sum = sums[at] ?? 0
  const found = new Set<number>()
  const add = (others: readonly number[] = []) => {
    for (const other of others) if (other > at) found.add(other)
  }
  add(bySum.get(sum))
  add(byLetters.get(words.join('')))
  for (const word of new Set(words))
    for (const near of nearWords.get(word) ?? [])
      add(bySum.get(sum - (codes.get(word) ?? 0) + (codes.get(near) ?? 0)))
  return found
}

function isClose(one: string[] = [], other: string[] = []): boolean {
  return one.join('') === other.join('') || nameSimilarity(one, other) >= duplicateLimits.closeSimilarity
}
