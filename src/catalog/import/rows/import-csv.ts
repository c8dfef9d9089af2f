import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { csvOptions, describeCsvError, tooManyCells } from '../../../model/files/csv-options.ts'
import { withoutSpacesAroundQuotes } from '../../../model/files/spaces-around-quotes.ts'
import type { Encoding } from '../../../model/files/text-format.ts'
import { writeCsv } from '../../../model/files/write-csv.ts'
import { openText } from './csv-text.ts'
import { type FileLine, stepOf } from './file-line.ts'
import type { Row, RowLine, RowReader } from './row-lines.ts'
import type { Tally } from './tally.ts'

/** How to read the rows of a CSV. */
export type CsvReading = {
  encoding: Encoding | undefined
  /** Reads the header and returns the reader for the rows. */
  readerOf(header: string[]): RowReader
  tally: Tally
  /** Line numbers of rejected rows across all readings of the file, so that each row is written once. */
  rejectedRows: Set<number>
  /** Called with a detected encoding other than UTF-8. */
  onEncoding(encoding: Encoding): void
}

/** Yields the rows of a CSV as push lines. */
export async function* csvLines(
  stream: Readable,
  { encoding: given, readerOf, tally, rejectedRows, onEncoding }: CsvReading,
  onHeader: (cells: string[]) => void,
): AsyncGenerator<FileLine> {
  const { encoding, delimiter, chunks } = await openText(stream, given)
  if (encoding !== given && encoding !== 'utf-8') onEncoding(encoding)
  let header: string[] | undefined
  let reader: RowReader | undefined
  for await (const row of rowsOf(chunks, delimiter)) {
    if (header === undefined || reader === undefined) {
      header = row.cells
      reader = readerOf(header)
      onHeader(header.filter((name) => name.trim() !== 'errors'))
    } else {
      const columns = header
      tally.fill(row.cells, columns)
      const lines = row.cells.length > columns.length ? [tooManyCellsLine(row, columns)] : reader.take(row)
      yield* lines.map((line) => fileLine(line, columns, rejectedRows))
    }
  }
  const columns = header ?? []
  yield* (reader?.end() ?? []).map((line) => fileLine(line, columns, rejectedRows))
}

export async function* rowsOf(chunks: AsyncGenerator<Buffer>, delimiter: string): AsyncGenerator<Row> {
  // The line of the last parsed row: the parser is ahead of the rows that are read below.
  let last = 0
  const keepLine = <Record>(record: Record, { lines }: { lines: number }): Record => {
    last = lines
    return record
  }
  const parser = parse({ ...csvOptions, delimiter, on_record: keepLine })
  // An error surfaces below, where the rows are read.
  pipeline(Readable.from(tidied(chunks, delimiter)), parser, () => {})
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>)
      yield { cells: record, number: info.lines }
  } catch (error) {
    throw error instanceof CsvError ? new Error(describeCsvError(error, last)) : error
  }
}

/** Treats each byte as one character: quotes and spaces are single bytes, and all others stay unchanged. */
async function* tidied(chunks: AsyncGenerator<Buffer>, delimiter: string): AsyncGenerator<Buffer> {
  const tidy = withoutSpacesAroundQuotes(delimiter)
  for await (const chunk of chunks) yield Buffer.from(tidy(chunk.toString('latin1')), 'latin1')
  yield Buffer.from(tidy(), 'latin1')
}

function tooManyCellsLine(row: Row, header: readonly string[]): RowLine {
  const message = tooManyCells(row.cells.length, header.length)
  return { json: '{}', rows: [row], error: { pointer: '', code: 'too_many', message } }
}

function fileLine(
  { json, rows, step, error, nameOf }: RowLine,
  header: readonly string[],
  rejectedRows: Set<number>,
): FileLine {
  const line = { number: rows[0]?.number ?? 0, bytes: Buffer.from(json), spent: [] }
  function rejected(errors: string): Buffer {
    if (rejectedRows.has(line.number)) return Buffer.alloc(0)
    rejectedRows.add(line.number)
    return Buffer.from(
      writeCsv(rows.map(({ cells }, index) => rejectedRow(header, cells, index === 0 ? errors : ''))),
    )
  }
  return {
    line: error === undefined ? line : { ...line, error },
    step: step ?? stepOf(line),
    rejected,
    ...(nameOf !== undefined && { nameOf }),
  }
}

/** Cells without a column follow the errors. Without them, the row would be accepted uncorrected. */
function rejectedRow(header: readonly string[], cells: readonly string[], errors: string): string[] {
  const own = header.flatMap((name, index) => (name.trim() === 'errors' ? [] : (cells[index] ?? '')))
  return [...own, errors, ...cells.slice(header.length)]
}
