/** Replaces control characters and bidirectional controls with escapes, so that a terminal does not interpret them. */
export function escapeControlCharacters(line: string): string {
  return line.replace(/[^\P{Cc}\t]|[\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    const code = (character.codePointAt(0) as number).toString(16).padStart(4, '0')
    return `\\u${code}`
  })
}
