// A name, or names with dots between; letters of every script. Whatever else stands in braces is text.
const word = '[\\p{L}\\p{M}\\p{N}_-]'
const placeholder = new RegExp(`\\{\\{[ \\t]*([\\p{L}_]${word}*(?:\\.${word}+)*)[ \\t]*\\}\\}`, 'gu')

/** The variables of a text, each once, in the order of their first use. */
export function variablesOf(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(placeholder), ([, name]) => name as string))]
}
