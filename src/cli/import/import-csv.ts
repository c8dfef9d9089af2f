import { pipeline, type Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { csv } from '../../products/export/export-products.ts'
import { jsonLine, readHeader } from '../../products/export/read-csv-row.ts'
import type { FileLine } from './file-line.ts'

// A product is at most 1 MiB as JSON; quotes are doubled in a CSV.
const mostBytesPerRow = 2 * 1024 * 1024

const options = {
  bom: true,
  info: true,
  skip_empty_lines: true,
  relax_column_count: true,
  relax_quotes: true,
  max_record_size: mostBytesPerRow,
}

type Row = { record: string[]; info: { lines: number } }

/** The rows of a CSV as lines of a push. */
export async function* rowsOf(
  stream: Readable,
  onHeader: (cells: string[]) => void,
): AsyncGenerator<FileLine> {
  const parser = parse(options)
  // An error is met below, where the rows are read.
  pipeline(stream, refuseOtherEncodings, parser, () => {})
  let header: string[] | undefined
  try {
    for await (const { record, info } of parser as AsyncIterable<Row>) {
      if (header === undefined) {
        header = readHeader(record)
        onHeader(header.filter((name) => name !== 'errors'))
      } else yield rowLine(header, record, info.lines)
    }
  } catch (error) {
    throw error instanceof CsvError ? new Error(reasonOf(error)) : error
  }
}

/** The parser would mend what is not UTF-8, and a name would be written that nobody meant. */
async function* refuseOtherEncodings(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const check = (chunk?: Buffer) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw new Error('the file is not UTF-8; save it as "CSV UTF-8" and import it again')
    }
  }
  for await (const chunk of chunks) {
    check(chunk)
    yield chunk
  }
  check()
}

function rowLine(header: readonly string[], record: readonly string[], number: number): FileLine {
  const surplus = record.slice(header.length)
  const own = header.flatMap((name, index) => (name === 'errors' ? [] : (record[index] ?? '')))
  const fault = {
    pointer: '',
    code: 'too_many',
    message: `has ${record.length} cells, the header only ${header.length}; a cell with a comma in it needs quotes`,
  }
  const line = { number, bytes: Buffer.from(jsonLine(header, record)), spent: [] }
  return {
    line: surplus.length > 0 ? { ...line, fault } : line,
    // Cells that have no column stay behind the errors: without them the row would be taken as it is.
    rejected: (errors) => Buffer.from(csv([[...own, errors, ...surplus]])),
  }
}

function reasonOf({ code, message }: CsvError): string {
  const isOpen = code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE'
  return isOpen ? `${message}; perhaps a quote is opened there and not closed` : message
}
