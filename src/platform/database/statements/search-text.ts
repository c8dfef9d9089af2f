/** Folds case and composes accents. The server's own case folding depends on its locale. */
export function foldCase(text: string): string {
  // The final sigma and the dot of a capital I depend on their position, so they would not match within a word.
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i')
}

/** The different words, because each becomes a condition. */
export function splitWords(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter(Boolean))]
}

/** A `like` pattern that finds the text in folded text; %, _ and \ match literally. */
export function likePattern(text: string): string {
  return `%${foldCase(text).replace(/[\\%_]/g, '\\$&')}%`
}
