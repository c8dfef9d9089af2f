import { pathColumn } from '../../model/files/csv-columns.ts'
import { readProductHeader } from '../../model/files/read-csv-row.ts'
import { rowJson } from '../../model/files/row-json.ts'
import type { RowReader } from './rows/row-lines.ts'
import type { Tally } from './rows/tally.ts'

/** Reads a file with the columns of our own export: each row is one line. */
export function readExportColumns(
  cells: readonly string[],
  { keepsRest, views }: { keepsRest: boolean; views: readonly string[] },
  tally: Tally,
): RowReader {
  const header = readProductHeader(cells, keepsRest, views)
  const [names, paths] = [header.indexOf('categories'), header.indexOf(pathColumn)]
  return {
    take(row) {
      tally.beginRow()
      const hasBoth = (row.cells[names] ?? '') !== '' && (row.cells[paths] ?? '') !== ''
      if (hasBoth) tally.drop('categories', `the same as ${pathColumn}`)
      return [{ json: rowJson(header, row.cells), rows: [row] }]
    },
    end: () => [],
  }
}
