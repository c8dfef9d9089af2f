/** Names that differ only in case, spaces, punctuation or British spelling, such as `Color`, `colour` and `COLOR `. */
export function similarNames(name: string, others: readonly string[]): string[] {
  const key = simplified(name)
  return others.filter((other) => other !== name && simplified(other) === key)
}

function simplified(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/our(?=s?$)/, 'or')
    .replace(/(?<=\p{L}{3})s$/u, '')
}
