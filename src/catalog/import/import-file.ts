import { createReadStream, ReadStream, type Stats, statSync } from 'node:fs'
import { extname } from 'node:path'
import type { Readable } from 'node:stream'
import type { Encoding } from '../../model/files/text-format.ts'
import { writeCsv } from '../../model/files/write-csv.ts'
import { type Line, type LineLimits, splitArray, splitLines } from '../../platform/http/body/split-body.ts'
import { inSteps, type Order } from './in-steps.ts'
import { asFileLine, type FileLine } from './rows/file-line.ts'
import { type CsvReading, csvLines } from './rows/import-csv.ts'
import type { RowReader } from './rows/row-lines.ts'
import { countCells, countNothing, type Tally } from './rows/tally.ts'

export const importFormats = ['ndjson', 'json', 'csv'] as const
export type ImportFormat = (typeof importFormats)[number]

/** What a file holds: its lines, some at a time, and what the file of rejected lines begins with. */
export type ImportFile = {
  file: string
  /** How much of it was read, from 0 to 1, where that is known; in each step anew. */
  partRead: () => number | undefined
  rejectedHead: () => string
  batches: AsyncGenerator<FileLine[]>
  /** Undefined for files without columns. */
  tally: Tally | undefined
  /** Reads no more. */
  close(): void
}

/** How a file is read: in which encoding, by which columns, and in which order. */
export type Reading = {
  encoding: Encoding | undefined
  readerOf(header: string[], tally: Tally): RowReader
  order: Order
}

const limits: LineLimits = { lines: Number.POSITIVE_INFINITY, lineBytes: 1024 * 1024 }

export function formatOf(file: string): ImportFormat {
  if (file === '-') throw new Error('say what standard input holds: --format ndjson, json or csv')
  const extension = extname(file).toLowerCase()
  if (extension === '.csv' || extension === '.tsv') return 'csv'
  if (extension === '.json') return 'json'
  if (extension === '.ndjson' || extension === '.jsonl') return 'ndjson'
  throw new Error(`what ${file} holds does not show in its name; say --format ndjson, json or csv`)
}

/** A file, or with "-" standard input. What is no file, and so can be read only once, comes in its own order. */
export function openImport(file: string, format: ImportFormat, reading: Reading): ImportFile {
  const stats = file === '-' ? undefined : fileStats(file)
  const tally = countCells()
  let stream: Readable | undefined
  let header: string[] = []
  const rejectedRows = new Set<number>()

  function read(): AsyncGenerator<FileLine> {
    const isFirst = stream === undefined
    stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 })
    if (format !== 'csv') return linesOf(stream, format)
    const csvReading: CsvReading = {
      encoding: reading.encoding,
      readerOf: (cells) => reading.readerOf(cells, isFirst ? tally : countNothing),
      tally: isFirst ? tally : countNothing,
      rejectedRows,
      onEncoding: isFirst ? tellEncoding : () => {},
    }
    return csvLines(stream, csvReading, (cells) => {
      header = cells
    })
  }

  return {
    file,
    partRead: () => (stream instanceof ReadStream && stats?.size ? stream.bytesRead / stats.size : undefined),
    rejectedHead: () => (format === 'csv' ? writeCsv([[...header, 'errors']]) : ''),
    batches: inSteps(read, stats?.isFile() === true ? reading.order : 'own'),
    tally: format === 'csv' ? tally : undefined,
    close: () => void stream?.destroy(),
  }
}

function tellEncoding(encoding: Encoding): void {
  const how =
    encoding === 'windows-1252' ? 'it is no UTF-8; --encoding says another one' : 'it begins like that'
  process.stderr.write(`the file is read as ${encoding}: ${how}\n`)
}

export function fileStats(file: string): Stats {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) throw new Error(`no such file: ${file}`)
  if (stats.isDirectory()) throw new Error(`${file} is a folder; name a file`)
  return stats
}

async function* linesOf(stream: Readable, format: 'ndjson' | 'json'): AsyncGenerator<FileLine> {
  const splitter = format === 'json' ? splitArray(limits) : splitLines(limits)
  const isWanted = format === 'json' ? () => true : isNoComment
  for await (const chunk of stream) {
    splitter.take(chunk)
    yield* splitter.drain().filter(isWanted).map(asFileLine)
  }
  yield* splitter.end().filter(isWanted).map(asFileLine)
}

/** The errors in a file of rejected lines stand in comments, so that the file can be corrected and imported. */
function isNoComment({ bytes }: Line): boolean {
  return bytes?.find((byte) => byte !== 0x20 && byte !== 0x09) !== 0x23
}
