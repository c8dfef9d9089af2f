import { mebibyte } from '../../../platform/units.ts'
import { fileLimits } from '../../limits.ts'
import type { Row, RowLine, RowReader } from '../rows/row-lines.ts'

/** Groups consecutive rows of one product. A row without a key belongs to the previous rows. */
export function groupedRows(
  keyOf: (row: Row) => string,
  toLines: (rows: [Row, ...Row[]]) => RowLine[],
): RowReader {
  let rows: [Row, ...Row[]] | undefined
  let key = ''
  let characters = 0

  function add(row: Row): void {
    characters += sizeOf(row)
    if (rows?.length === fileLimits.productRows || characters > fileLimits.productRowCharacters)
      throw new Error(
        `line ${row.number}: the product "${key}" has more than ${fileLimits.productRows.toLocaleString('en')} rows or ${fileLimits.productRowCharacters / mebibyte} MiB`,
      )
    rows?.push(row)
  }

  return {
    take(row) {
      const own = keyOf(row)
      if (rows !== undefined && (own === key || own === '')) {
        add(row)
        return []
      }
      const lines = rows === undefined ? [] : toLines(rows)
      rows = [row]
      key = own
      characters = sizeOf(row)
      return lines
    },
    end: () => (rows === undefined ? [] : toLines(rows)),
  }
}

function sizeOf({ cells }: Row): number {
  return cells.reduce((sum, { length }) => sum + length, 0)
}
