import type { FileRecord, RecordSlice } from './file/records.ts'

/** What goes in one request, and so into one proposal. */
export type Part = { records: FileRecord[]; body: Blob; isLast: boolean }

/** A proposal takes 10,000 lines and 64 MiB; half of that is on its way at once. */
const mostLines = 10_000
const mostBytes = 32 * 1024 * 1024

export type Line = { record: FileRecord; json: string }
type Waiting = { record: FileRecord; bytes: Uint8Array<ArrayBuffer> }

/** The lines of a file in as few parts as the service takes. It reads on until it knows whether a part is the last. */
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
