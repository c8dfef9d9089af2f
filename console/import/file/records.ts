import { parse } from 'csv-parse/browser/esm'
import { csvOptions, describeCsvError } from '../../../src/model/files/csv-options.ts'
import { withoutSpacesAroundQuotes } from '../../../src/model/files/spaces-around-quotes.ts'
import { strings } from '../strings.ts'
import { FileError, type FileForm, type TextSlice, textOf } from './file-text.ts'
import { splitElements } from './json-elements.ts'

/** A row of a CSV, or a product as JSON in one cell. */
export type FileRecord = {
  /** The last line of the record in the file, or its position in a JSON array. */
  number: number
  cells: string[]
  /** Cells that the user added while fixing a line, by field. */
  added?: Record<string, string>
}
export type RecordSlice = { records: FileRecord[]; bytes: number }

const mostCharacters = 2 * 1024 * 1024

/** All records of a file, slice by slice. The first record of a CSV file is its header. */
export function readRecords(
  file: File,
  { format, encoding, delimiter }: FileForm,
): AsyncGenerator<RecordSlice> {
  const slices = textOf(file, encoding)
  if (format === 'csv') return csvRecords(slices, delimiter)
  return format === 'json' ? elementRecords(slices) : lineRecords(slices)
}

type Parsed = { record: string[]; info: { lines: number } }

async function* csvRecords(
  slices: AsyncGenerator<TextSlice>,
  delimiter: string,
): AsyncGenerator<RecordSlice> {
  let records: FileRecord[] = []
  let last = 0
  let parseError: { code: string; message: string } | undefined
  const parser = parse({ ...csvOptions, delimiter })
  const tidy = withoutSpacesAroundQuotes(delimiter)
  parser.on('readable', () => {
    for (let read: Parsed | null = parser.read(); read !== null; read = parser.read()) {
      last = read.info.lines
      records.push({ number: last, cells: read.record })
    }
  })
  parser.on('error', (error) => {
    parseError = error as unknown as typeof parseError
  })
  const taken = (bytes: number): RecordSlice => {
    if (parseError !== undefined)
      throw new FileError(strings.fileErrors.csv(describeCsvError(parseError, last)))
    const slice = { records, bytes }
    records = []
    return slice
  }
  let read = 0
  for await (const { text, bytes } of slices) {
    await new Promise<void>((resolve) => parser.write(tidy(text), () => resolve()))
    read = bytes
    yield taken(read)
  }
  await new Promise<void>((resolve) => {
    parser.once('end', resolve).once('error', () => resolve())
    parser.end(tidy())
  })
  yield taken(read)
}

async function* lineRecords(slices: AsyncGenerator<TextSlice>): AsyncGenerator<RecordSlice> {
  let open = ''
  let number = 0
  const recordsOf = (lines: string[]): FileRecord[] =>
    lines.flatMap((line) => {
      number += 1
      const text = line.trim()
      // A file of rejected lines has its errors in comments.
      return text === '' || text.startsWith('#') ? [] : [{ number, cells: [text] }]
    })
  let read = 0
  for await (const { text, bytes } of slices) {
    const lines = (open + text).split('\n')
    open = lines.pop() ?? ''
    if (open.length > mostCharacters)
      throw new FileError(strings.fileErrors.lineTooLong(number + lines.length + 1))
    read = bytes
    yield { records: recordsOf(lines), bytes }
  }
  yield { records: recordsOf([open]), bytes: read }
}

async function* elementRecords(slices: AsyncGenerator<TextSlice>): AsyncGenerator<RecordSlice> {
  const splitter = splitElements(mostCharacters)
  let number = 0
  for await (const { text, bytes } of slices) {
    const records = splitter.take(text).map((element) => {
      number += 1
      return { number, cells: [element] }
    })
    yield { records, bytes }
  }
  splitter.end()
}
