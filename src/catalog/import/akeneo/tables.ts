import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Encoding } from '../../../model/files/text-format.ts'
import { mebibyte } from '../../../platform/units.ts'
import { fileLimits } from '../../limits.ts'
import { type Cell, cellOf } from '../rows/cells.ts'
import { openText } from '../rows/csv-text.ts'
import { rowsOf } from '../rows/import-csv.ts'
import { countCells, type Tally } from '../rows/tally.ts'

/** A file that fits into memory: categories, definitions, families, product models. */
export type Table = { file: string; header: string[]; rows: Cell[]; tally: Tally }

export async function readTable(file: string, encoding: Encoding | undefined): Promise<Table> {
  if (statSync(file).size > fileLimits.tableBytes)
    throw new Error(
      `${basename(file)} is larger than ${fileLimits.tableBytes / mebibyte} MiB; export it in parts and import each folder separately`,
    )
  const tally = countCells()
  const { delimiter, chunks } = await openText(createReadStream(file), encoding)
  let header: string[] | undefined
  const rows: Cell[] = []
  for await (const { cells } of rowsOf(chunks, delimiter)) {
    if (header === undefined) header = cells.map((name) => name.trim())
    else {
      tally.fill(cells, header)
      rows.push(cellOf(header)(cells))
    }
  }
  return { file: basename(file), header: header ?? [], rows, tally }
}

export async function readHeader(file: string, encoding: Encoding | undefined): Promise<string[]> {
  const stream = createReadStream(file)
  try {
    const { delimiter, chunks } = await openText(stream, encoding)
    for await (const { cells } of rowsOf(chunks, delimiter)) return cells.map((name) => name.trim())
    return []
  } finally {
    stream.destroy()
  }
}

const labelColumn = /^label-(.+)$/

/** The label in the preferred language, or else the first nonempty one, or else the code. */
export function labelOf(table: Table, cell: Cell, locale: string | undefined): string {
  const taken = labelColumnOf(table, cell, locale)
  for (const name of table.header)
    if (labelColumn.test(name) && cell(name) !== '' && name !== taken)
      table.tally.drop(name, 'other language')
  return cell(taken ?? 'code')
}

export function labelColumnOf({ header }: Table, cell: Cell, locale: string | undefined): string | undefined {
  const labels = header.filter((name) => labelColumn.test(name) && cell(name) !== '')
  return labels.find((name) => name === `label-${locale}`) ?? labels[0]
}

/** Counts the filled cells of a row that are not imported. */
export function dropOthers({ header, tally }: Table, cell: Cell, taken: readonly string[]): void {
  for (const name of header)
    if (cell(name) !== '' && !taken.includes(name) && !labelColumn.test(name))
      tally.drop(name, 'not imported')
}

/** Converts to one line, for category names, choices and labels. */
export function toOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 255)
}

/** Names by code. Shared names get the code as a suffix. */
export function distinctNames(names: ReadonlyMap<string, string>): Map<string, string> {
  const shared = Map.groupBy(names.keys(), (code) => names.get(code))
  const isShared = (name: string) => (shared.get(name)?.length ?? 0) > 1
  return new Map(
    [...names].map(([code, name]) => [code, isShared(name) ? `${name.slice(0, 150)} (${code})` : name]),
  )
}
