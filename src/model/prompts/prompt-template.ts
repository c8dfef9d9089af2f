// Names separated by dots, in letters of any script. Anything else in braces is text.
const word = '[\\p{L}\\p{M}\\p{N}_-]'
const placeholder = new RegExp(`\\{\\{[ \\t]*([\\p{L}_]${word}*(?:\\.${word}+)*)[ \\t]*\\}\\}`, 'gu')

/** The distinct variables of a text, in order of first use. */
export function variablesOf(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(placeholder), ([, name]) => name as string))]
}

/** The length of the rendered text, computed first because a short text can repeat a long value many times. */
export function renderedLength(text: string, values: ReadonlyMap<string, string>): number {
  let length = text.length
  for (const [whole, name] of text.matchAll(placeholder))
    length += (values.get(name as string) ?? whole).length - whole.length
  return length
}

/** Values are inserted literally: variables in a value are not replaced. */
export function renderTemplate(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(placeholder, (whole, name: string) => values.get(name) ?? whole)
}
