import type { ColumnMap } from './map.schema.ts'

/** Rows whose empty cells in some columns mean what the row above says. */
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
