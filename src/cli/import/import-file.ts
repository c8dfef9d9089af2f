import { createReadStream, type Stats, statSync } from 'node:fs'
import { extname } from 'node:path'
import type { Readable } from 'node:stream'
import { type Line, type LineLimits, splitArray, splitLines } from '../../http/request/split-body.ts'
import { csv } from '../../products/export/export-products.ts'
import { asFileLine, type FileLine } from './file-line.ts'
import { rowsOf } from './import-csv.ts'

export const importFormats = ['ndjson', 'json', 'csv'] as const
export type ImportFormat = (typeof importFormats)[number]

/** What a file holds: its lines, some at a time, and what the file of rejected lines begins with. */
export type ImportFile = {
  /** How much of it was read, from 0 to 1, where that is known. */
  partRead: () => number | undefined
  rejectedHead: () => string
  batches: AsyncGenerator<FileLine[]>
  /** Reads no more. */
  close(): void
}

const limits: LineLimits = { lines: Number.POSITIVE_INFINITY, lineBytes: 1024 * 1024 }
const linesPerBatch = 10_000
const bytesPerBatch = 8 * 1024 * 1024

export function formatOf(file: string): ImportFormat {
  if (file === '-') throw new Error('say what standard input holds: --format ndjson, json or csv')
  const extension = extname(file).toLowerCase()
  if (extension === '.csv') return 'csv'
  if (extension === '.json') return 'json'
  if (extension === '.ndjson' || extension === '.jsonl') return 'ndjson'
  throw new Error(`what ${file} holds does not show in its name; say --format ndjson, json or csv`)
}

/** A file, or with "-" standard input. */
export function openImport(file: string, format: ImportFormat): ImportFile {
  const size = file === '-' ? 0 : fileStats(file).size
  const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 })
  let header: string[] = []
  const lines =
    format === 'csv'
      ? rowsOf(stream, (cells) => {
          header = cells
        })
      : linesOf(stream, format)
  return {
    partRead: () => ('bytesRead' in stream && size > 0 ? stream.bytesRead / size : undefined),
    rejectedHead: () => (format === 'csv' ? csv([[...header, 'errors']]) : ''),
    batches: inBatches(lines),
    close: () => void stream.destroy(),
  }
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

async function* inBatches(lines: AsyncGenerator<FileLine>): AsyncGenerator<FileLine[]> {
  let batch: FileLine[] = []
  let bytes = 0
  for await (const line of lines) {
    batch.push(line)
    bytes += line.line.bytes?.length ?? 0
    if (batch.length < linesPerBatch && bytes < bytesPerBatch) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}
