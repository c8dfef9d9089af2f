import type { FileRecord, RecordSlice } from './file/records.ts'

/** The content of one request, which creates one proposal. */
export type Part = { records: FileRecord[]; body: Blob; isLast: boolean }

/** A proposal accepts 10,000 lines and 64 MiB. A part has at most half of the bytes. */
const mostLines = 10_000
const mostBytes = 32 * 1024 * 1024

export type Line = { record: FileRecord; json: string }
type Waiting = { record: FileRecord; bytes: Uint8Array<ArrayBuffer> }

/** Groups the lines of a file into as few parts as possible. Reads ahead to know whether a part is the last. */
export async function* partsOf(
  slices: AsyncIterable<RecordSlice>,
  linesOf: (records: FileRecord[]) => Line[],
  onRead: (bytes: number) => void,
): AsyncGenerator<Part> {
  const encoder = new TextEncoder()
  let waiting: Waiting[] = []
  let size = 0
  for await (const { records, bytes: read } of slices) {
    onRead(read)
    for (const { record, json } of linesOf(records)) {
      const bytes = encoder.encode(`${json}\n`)
      if (waiting.length === mostLines || (waiting.length > 0 && size + bytes.length > mostBytes)) {
        yield partOf(waiting, false)
        waiting = []
        size = 0
      }
      waiting.push({ record, bytes })
      size += bytes.length
    }
  }
  if (waiting.length > 0) yield partOf(waiting, true)
}

function partOf(waiting: Waiting[], isLast: boolean): Part {
  return {
    records: waiting.map(({ record }) => record),
    body: new Blob(waiting.map(({ bytes }) => bytes)),
    isLast,
  }
}
