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

/** The lines of a file in batches, and the header of the file for rejected lines. */
export type ImportFile = {
  file: string
  /** The part of the file that was read in the current step, from 0 to 1, if known. */
  partRead: () => number | undefined
  rejectedHead: () => string
  batches: AsyncGenerator<FileLine[]>
  /** Undefined for files without columns. */
  tally: Tally | undefined
  /** Stops reading. */
  close(): void
}

/** The encoding, columns and order in which a file is read. */
export type Reading = {
  encoding: Encoding | undefined
  readerOf(header: string[], tally: Tally): RowReader
  order: Order
}

const limits: LineLimits = { lines: Number.POSITIVE_INFINITY, lineBytes: 1024 * 1024 }

export function formatOf(file: string): ImportFormat {
  if (file === '-') throw new Error('standard input requires --format ndjson, json or csv')
  const extension = extname(file).toLowerCase()
  if (extension === '.csv' || extension === '.tsv') return 'csv'
  if (extension === '.json') return 'json'
  if (extension === '.ndjson' || extension === '.jsonl') return 'ndjson'
  throw new Error(`cannot detect the format of ${file} from its name; use --format ndjson, json or csv`)
}

/** Opens a file, or standard input for "-". A stream can be read only once, so its lines keep their order. */
export function openImport(file: string, format: ImportFormat, reading: Reading): ImportFile {
  const stats = file === '-' ? undefined : fileStats(file)
  const tally = countCells()
  let stream: Readable | undefined
  let header: string[] = []
  const rejectedRows = new Set<number>()

  function read(): AsyncGenerator<FileLine> {
    const isFirst = stream === undefined
    stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 })
    if (format !== 'csv') return readJsonLines(stream, format)
    const csvReading: CsvReading = {
      encoding: reading.encoding,
      readerOf: (cells) => reading.readerOf(cells, isFirst ? tally : countNothing),
      tally: isFirst ? tally : countNothing,
      rejectedRows,
      onEncoding: isFirst ? printEncoding : () => {},
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

function printEncoding(encoding: Encoding): void {
  const how =
    encoding === 'windows-1252'
      ? 'it is not valid UTF-8; use --encoding to override'
      : 'detected from its byte order mark'
  process.stderr.write(`reading the file as ${encoding}: ${how}\n`)
}

export function fileStats(file: string): Stats {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) throw new Error(`no such file: ${file}`)
  if (stats.isDirectory()) throw new Error(`${file} is a folder; specify a file`)
  return stats
}

async function* readJsonLines(stream: Readable, format: 'ndjson' | 'json'): AsyncGenerator<FileLine> {
  const splitter = format === 'json' ? splitArray(limits) : splitLines(limits)
  const isWanted = format === 'json' ? () => true : isNotComment
  for await (const chunk of stream) {
    splitter.take(chunk)
    yield* splitter.drain().filter(isWanted).map(asFileLine)
  }
  yield* splitter.end().filter(isWanted).map(asFileLine)
}

/** Comments contain the errors in a file of rejected lines, so that the corrected file can be imported. */
function isNotComment({ bytes }: Line): boolean {
  return bytes?.find((byte) => byte !== 0x20 && byte !== 0x09) !== 0x23
}
