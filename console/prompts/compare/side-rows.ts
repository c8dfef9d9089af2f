import type { Part } from '../../parts/format/compare-words.ts'

/** Matching lines of two texts. */
export type SideRow = { left: Part[]; right: Part[] }
/** Unchanged lines that are collapsed. */
export type FoldedRows = { folded: SideRow[] }

const around = 2
const fewestFolded = 3

/** Starts a row after each line that both texts end, so that equal lines are aligned. */
export function sideRows(parts: Part[]): SideRow[] {
  const rows: SideRow[] = []
  let row: SideRow = { left: [], right: [] }
  const endRow = () => {
    if (row.left.length + row.right.length > 0) rows.push(row)
    row = { left: [], right: [] }
  }
  for (const part of parts) {
    if (part.kind === 'removed') row.left.push(part)
    else if (part.kind === 'added') row.right.push(part)
    else {
      if (endsLine(row.left) && endsLine(row.right)) endRow()
      for (const text of part.text.split(/(?<=\n)/)) {
        const line: Part = { kind: 'same', text }
        row.left.push(line)
        row.right.push(line)
        if (text.endsWith('\n')) endRow()
      }
    }
  }
  endRow()
  return rows
}

function endsLine(side: Part[]): boolean {
  return side.at(-1)?.text.endsWith('\n') ?? true
}

/** Collapses lines that are far from any change. */
export function foldRows(rows: SideRow[]): (SideRow | FoldedRows)[] {
  const isNear = (index: number) => rows.slice(Math.max(0, index - around), index + around + 1).some(differs)
  const result: (SideRow | FoldedRows)[] = []
  let run: SideRow[] = []
  const endRun = () => {
    result.push(...(run.length < fewestFolded ? run : [{ folded: run }]))
    run = []
  }
  for (const [index, row] of rows.entries()) {
    if (!isNear(index)) run.push(row)
    else {
      endRun()
      result.push(row)
    }
  }
  endRun()
  return result
}

function differs({ left, right }: SideRow): boolean {
  return [...left, ...right].some(({ kind }) => kind !== 'same')
}
