import { RE2JS } from 're2js'

/** Whether a whole text has the form of a pattern. It takes time in proportion to the text, whatever the pattern. */
export type MatchesPattern = (text: string) => boolean

/** Throws an error that says what is wrong with the pattern: what RE2 cannot do, such as back references, is refused. */
export function compilePattern(pattern: string): MatchesPattern {
  const compiled = RE2JS.compile(pattern)
  return (text) => compiled.matches(text)
}
