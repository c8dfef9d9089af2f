import { jsonLine, readHeader } from '../../products/export/read-csv-row.ts'
import type { RowReader } from './row-lines.ts'

/** A file with the columns of our own export: each row is a line. */
export function ownColumns(cells: readonly string[], isRestKept: boolean): RowReader {
  const header = readHeader(cells, isRestKept)
  return { take: (row) => [{ json: jsonLine(header, row.cells), rows: [row] }], end: () => [] }
}
