import { RE2JS } from 're2js'
import { attributeLimits } from '../limits/attributes.ts'

/** Whether the entire text matches. Takes time linear in the text for every pattern. */
export type MatchesPattern = (text: string) => boolean

/** Throws an error that explains why the pattern is invalid. RE2 rejects features such as back references. */
export function compilePattern(pattern: string): MatchesPattern {
  const compiled = RE2JS.compile(pattern)
  if (isPlain(pattern)) {
    const native = new RegExp(`^(?:${pattern})$`)
    return (text) => native.test(text)
  }
  if (compiled.programSize() > attributeLimits.patternInstructions)
    throw new Error('the pattern is too large; use fewer or shorter repetitions')
  // A matcher avoids the automaton of compiled.matches(), which uses 8 MiB per pattern and grows slowly.
  return (text) => compiled.matcher(text).matches()
}

const part = /[A-Za-z0-9_-]|\\[.+*?-]|\[[A-Za-z0-9._ -]+\]/
const repetition = /\{\d+\}|[*+?]|\{\d+,\d*\}/
const plainParts = new RegExp(`^(?:(?:${part.source})(?:${repetition.source})?)+$`)

/**
 * Whether the pattern consists of characters and character sets with at most one variable repetition. A native RegExp matches it in
 * the same way, backtracks over the text at most once, and is ten times as fast.
 */
function isPlain(pattern: string): boolean {
  if (!plainParts.test(pattern)) return false
  const outsideSets = pattern.replaceAll(/\[[^\]]*\]|\\./g, 'x')
  return (outsideSets.match(/[*+?]|\{\d+,\d*\}/g) ?? []).length <= 1
}
