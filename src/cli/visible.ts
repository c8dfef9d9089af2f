/** A text may hold sequences that command a terminal; they are shown, not obeyed. */
export function visible(line: string): string {
  return line.replace(/[^\P{Cc}\t]/gu, (character) => {
    const code = (character.codePointAt(0) as number).toString(16).padStart(4, '0')
    return `\\u${code}`
  })
}
