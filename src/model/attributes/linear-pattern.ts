import { RE2JS } from 're2js'
import { attributeLimits } from '../limits/attributes.ts'

/** Whether a whole text has the form of a pattern. It takes time in proportion to the text, whatever the pattern. */
export type MatchesPattern = (text: string) => boolean

/** Throws an error that says what is wrong with the pattern: what RE2 cannot do, such as back references, is refused. */
export function compilePattern(pattern: string): MatchesPattern {
  const compiled = RE2JS.compile(pattern)
  if (isPlain(pattern)) {
    const native = new RegExp(`^(?:${pattern})$`)
    return (text) => native.test(text)
  }
  if (compiled.programSize() > attributeLimits.patternInstructions)
    throw new Error('the pattern is too large; use fewer or shorter repetitions')
  // A matcher runs without the automaton of compiled.matches(), which keeps 8 MiB for a pattern and is slow to grow.
  return (text) => compiled.matcher(text).matches()
}

const part = /[A-Za-z0-9_-]|\\[.+*?-]|\[[A-Za-z0-9._ -]+\]/
const repetition = /\{\d+\}|[*+?]|\{\d+,\d*\}/
const plainParts = new RegExp(`^(?:(?:${part.source})(?:${repetition.source})?)+$`)

/**
 * Whether it consists of characters and sets of them, of which one at most may occur more or less often. The expressions of the
 * language mean the same by such a pattern, never go back further than once over the text, and are ten times as fast.
 */
function isPlain(pattern: string): boolean {
  if (!plainParts.test(pattern)) return false
  const outsideSets = pattern.replaceAll(/\[[^\]]*\]|\\./g, 'x')
  return (outsideSets.match(/[*+?]|\{\d+,\d*\}/g) ?? []).length <= 1
}
