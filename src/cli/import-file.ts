import { createReadStream, statSync } from 'node:fs'
import { extname } from 'node:path'
import { parse } from 'csv-parse'
import { type Line, type LineLimits, splitArray, splitLines } from '../http/split-body.ts'
import { csv } from '../products/export-products.ts'
import { jsonLine, readHeader } from '../products/product-csv.ts'

export const importFormats = ['ndjson', 'json', 'csv'] as const
export type ImportFormat = (typeof importFormats)[number]

/** A line of a file, with how it is written to the file of rejected lines. */
export type FileLine = { line: Line; rejected: (errors: string) => string }

/** What a file holds: its lines, some at a time, and what the file of rejected lines begins with. */
export type ImportFile = {
  bytes: number
  bytesRead: () => number
  rejectedHead: () => string
  portions: AsyncGenerator<FileLine[]>
}

const limits: LineLimits = { lines: Number.POSITIVE_INFINITY, lineBytes: 1024 * 1024 }
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
const linesPerPortion = 10_000
const bytesPerPortion = 8 * 1024 * 1024

export function formatOf(file: string): ImportFormat {
  const extension = extname(file).toLowerCase()
  if (extension === '.csv') return 'csv'
  if (extension === '.json') return 'json'
  if (extension === '.ndjson' || extension === '.jsonl') return 'ndjson'
  throw new Error(`what ${file} holds does not show in its name; say --format ndjson, json or csv`)
}

export function openImport(file: string, format: ImportFormat): ImportFile {
  const { size } = statSync(file)
  const stream = createReadStream(file, { highWaterMark: 256 * 1024 })
  let header: string[] = []
  const lines =
    format === 'csv'
      ? rowsOf(stream, (cells) => {
          header = cells
        })
      : linesOf(stream, format)
  return {
    bytes: size,
    bytesRead: () => stream.bytesRead,
    rejectedHead: () => (format === 'csv' ? csv([[...header, 'errors']]) : ''),
    portions: inPortions(lines),
  }
}

async function* linesOf(stream: AsyncIterable<Buffer>, format: 'ndjson' | 'json'): AsyncGenerator<FileLine> {
  const splitter = format === 'json' ? splitArray(limits) : splitLines(limits)
  let isFirst = true
  for await (const chunk of stream) {
    const marked = isFirst && chunk.subarray(0, 3).equals(byteOrderMark)
    isFirst = false
    splitter.take(marked ? chunk.subarray(3) : chunk)
    yield* splitter.drain().filter(isNoComment).map(asFileLine)
  }
  yield* splitter.end().filter(isNoComment).map(asFileLine)
}

/** The errors in a file of rejected lines stand in comments, so that the file can be corrected and imported. */
function isNoComment({ bytes }: Line): boolean {
  return bytes?.[0] !== 0x23
}

function asFileLine(line: Line): FileLine {
  // The memory of a file is shared by its lines.
  return {
    line: { ...line, spent: [] },
    rejected: (errors) => `# line ${line.number}: ${errors}\n${line.bytes?.toString('utf8').trim() ?? ''}\n`,
  }
}

async function* rowsOf(
  stream: NodeJS.ReadableStream,
  onHeader: (cells: string[]) => void,
): AsyncGenerator<FileLine> {
  const parser = parse({ bom: true, relax_column_count: true, info: true, skip_empty_lines: true })
  stream.on('error', (error) => parser.destroy(error)).pipe(parser)
  let header: string[] | undefined
  let errorColumn = -1
  for await (const { record, info } of parser as AsyncIterable<{
    record: string[]
    info: { lines: number }
  }>) {
    if (header === undefined) {
      header = readHeader(record)
      errorColumn = header.indexOf('errors')
      onHeader(header.filter((name) => name !== 'errors'))
      continue
    }
    const cells = record.slice(0, header.length)
    const bytes = Buffer.from(record.length > header.length ? tooManyCells : jsonLine(header, cells))
    const own = cells.filter((_cell, index) => index !== errorColumn)
    yield {
      line: { number: info.lines, bytes, spent: [] },
      rejected: (errors) => csv([[...own, errors]]),
    }
  }
}

const tooManyCells = 'more cells than the header has columns'

async function* inPortions(lines: AsyncGenerator<FileLine>): AsyncGenerator<FileLine[]> {
  let portion: FileLine[] = []
  let bytes = 0
  for await (const line of lines) {
    portion.push(line)
    bytes += line.line.bytes?.length ?? 0
    if (portion.length < linesPerPortion && bytes < bytesPerPortion) continue
    yield portion
    portion = []
    bytes = 0
  }
  if (portion.length > 0) yield portion
}
