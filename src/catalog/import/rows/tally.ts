/** Cells of one column that an import drops or changes. */
export type CellCount = { file?: string; column: string; reason: string; cells: number }

export type CellCounts = {
  cells: { filled: number; taken: number; dropped: number }
  dropped: CellCount[]
  changed: CellCount[]
}

/** Counts the filled cells of a CSV. A cell that is not counted as dropped is imported. */
export type Tally = {
  /** Counts the filled cells of a row, except in the `errors` column. */
  fill(cells: readonly string[], header: readonly string[]): void
  /** Starts a new row. */
  beginRow(): void
  /** Each cell counts once, for the first reason. */
  drop(column: string, reason: string): void
  change(column: string, reason: string): void
  counts(): CellCounts
}

/** A file can have any number of columns. */
const maxCounts = 2_000

export function countCells(): Tally {
  const dropped = new Map<string, CellCount>()
  const changed = new Map<string, CellCount>()
  const inRow = new Set<string>()
  let filled = 0
  let droppedCells = 0

  function add(counts: Map<string, CellCount>, column: string, reason: string): void {
    const isKnown = counts.size < maxCounts || counts.has(keyOf(column, reason))
    const counted = isKnown ? { column, reason } : { column: 'other columns', reason: 'other reasons' }
    const key = keyOf(counted.column, counted.reason)
    const count = counts.get(key) ?? { ...counted, cells: 0 }
    counts.set(key, { ...count, cells: count.cells + 1 })
  }

  return {
    fill(cells, header) {
      for (const [at, cell] of cells.entries())
        if (cell.trim() !== '' && header[at]?.trim() !== 'errors') filled += 1
    },
    beginRow: () => inRow.clear(),
    drop(column, reason) {
      if (inRow.has(column)) return
      inRow.add(column)
      droppedCells += 1
      add(dropped, column, reason)
    },
    change: (column, reason) => add(changed, column, reason),
    counts: () => ({
      cells: { filled, taken: filled - droppedCells, dropped: droppedCells },
      dropped: [...dropped.values()].sort(byCells),
      changed: [...changed.values()].sort(byCells),
    }),
  }
}

function keyOf(column: string, reason: string): string {
  return JSON.stringify([column, reason])
}

function byCells(one: CellCount, other: CellCount): number {
  return other.cells - one.cells
}

export type FileCounts = CellCounts & { file: string }

/** Merges the counts of several files. With more than one, each count includes its file. */
export function joinCounts(files: readonly FileCounts[]): CellCounts {
  const all = (kind: 'dropped' | 'changed') =>
    files.flatMap(({ file, [kind]: some }) =>
      some.map((count) => (files.length > 1 ? { file, ...count } : count)),
    )
  const sum = (kind: keyof CellCounts['cells']) => files.reduce((total, { cells }) => total + cells[kind], 0)
  return {
    cells: { filled: sum('filled'), taken: sum('taken'), dropped: sum('dropped') },
    dropped: all('dropped'),
    changed: all('changed'),
  }
}

/** For a second reading of the same file. */
export const countNothing: Tally = {
  fill: () => {},
  beginRow: () => {},
  drop: () => {},
  change: () => {},
  counts: () => ({ cells: { filled: 0, taken: 0, dropped: 0 }, dropped: [], changed: [] }),
}
