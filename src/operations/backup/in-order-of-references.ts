type Referring = { name: string; references: string[] }

/** Each after all that it refers to; otherwise as they come. */
export function inOrderOfReferences<Table extends Referring>(tables: Table[]): Table[] {
  const ordered: Table[] = []
  let left = tables
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name))
    const ready = left.filter(({ references }) => !references.some((name) => waiting.has(name)))
    if (ready.length === 0) throw new Error(`tables refer to each other: ${[...waiting].join(', ')}`)
    ordered.push(...ready)
    left = left.filter((table) => !ready.includes(table))
  }
  return ordered
}
