/** Names that differ only in case, spaces, punctuation or British spelling, such as `Color`, `colour` and `COLOR `. */
export function similarNames(name: string, others: readonly string[]): string[] {
  const key = simpleName(name)
  return others.filter((other) => other !== name && simpleName(other) === key)
}

/** The same text for similar names. */
export function simpleName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/our(?=s?$)/, 'or')
    .replace(/(?<=\p{L}{3})s$/u, '')
}
