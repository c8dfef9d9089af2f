/** One form for texts that differ only in case or in how an accent is composed: a server's own folding depends on its locale. */
export function foldCase(text: string): string {
  // The final sigma and the dot of a capital I depend on where they stand; in a part of a word they would not be found.
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i')
}

export function splitWords(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}

/** A pattern for like that finds the text in folded text: %, _ and \ are plain characters in it. */
export function likePattern(text: string): string {
  return `%${foldCase(text).replace(/[\\%_]/g, '\\$&')}%`
}
