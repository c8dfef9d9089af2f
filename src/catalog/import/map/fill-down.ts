import type { ColumnMap } from './map.schema.ts'

/** Fills empty cells of these columns with the value from the row above. */
export function fillDown({ fill_down = [] }: ColumnMap, header: readonly string[]) {
  const above = new Map<number, string>()
  const columns = fill_down.map((name) => header.indexOf(name)).filter((at) => at >= 0)
  return (cells: readonly string[]): readonly string[] => {
    if (columns.length === 0) return cells
    const filled = [...cells]
    for (const at of columns) {
      if ((filled[at] ?? '').trim() === '') filled[at] = above.get(at) ?? ''
      above.set(at, filled[at] ?? '')
    }
    return filled
  }
}
