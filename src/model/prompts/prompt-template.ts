// A name, or names with dots between; letters of every script. Whatever else stands in braces is text.
const word = '[\\p{L}\\p{M}\\p{N}_-]'
const placeholder = new RegExp(`\\{\\{[ \\t]*([\\p{L}_]${word}*(?:\\.${word}+)*)[ \\t]*\\}\\}`, 'gu')

/** The variables of a text, each once, in the order of their first use. */
export function variablesOf(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(placeholder), ([, name]) => name as string))]
}

/** How long the filled text will be; a short text can ask for a long value many times. */
export function renderedLength(text: string, values: ReadonlyMap<string, string>): number {
  let length = text.length
  for (const [whole, name] of text.matchAll(placeholder))
    length += (values.get(name as string) ?? whole).length - whole.length
  return length
}

/** Values go in as they are: braces in a value are never filled in turn. */
export function renderTemplate(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(placeholder, (whole, name: string) => values.get(name) ?? whole)
}
