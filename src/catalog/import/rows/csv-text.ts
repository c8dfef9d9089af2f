import { detectDelimiter, detectEncoding, type Encoding } from '../../../model/files/text-format.ts'
import { csvLimits } from '../../../model/limits/files.ts'

/** How a CSV file is written, and its bytes as UTF-8. */
export type CsvText = { encoding: Encoding; delimiter: string; chunks: AsyncGenerator<Buffer> }

/** Finds out the encoding and the delimiter from the first part of a file; an encoding that is given is taken as it is. */
export async function openText(stream: AsyncIterable<Buffer>, given?: Encoding): Promise<CsvText> {
  const rest = stream[Symbol.asyncIterator]()
  const chunks: Buffer[] = []
  let size = 0
  let isWhole = false
  while (size < csvLimits.headBytes && !isWhole) {
    const { value, done } = await rest.next()
    isWhole = done === true
    if (isWhole) break
    chunks.push(value)
    size += value.length
  }
  const head = Buffer.concat(chunks)
  const encoding = given ?? detectEncoding(head, isWhole)
  if (encoding === undefined)
    throw new Error(
      'the file has bytes that no text has; if it is UTF-16, say --encoding utf-16le, or save it as "CSV UTF-8"',
    )
  const start = new TextDecoder(encoding).decode(head.subarray(0, 64 * 1024), { stream: true })
  return { encoding, delimiter: detectDelimiter(start), chunks: asUtf8(encoding, head, rest) }
}

async function* asUtf8(
  encoding: Encoding,
  head: Buffer,
  rest: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer> {
  // Windows-1252 has a character for every byte; in the others a fault would become a name that nobody meant.
  const decoder = new TextDecoder(encoding, { fatal: true })
  let read = 0
  const decode = (chunk?: Buffer): Buffer => {
    try {
      const text = decoder.decode(chunk, { stream: chunk !== undefined })
      return encoding === 'utf-8' ? (chunk ?? Buffer.alloc(0)) : Buffer.from(text)
    } catch {
      throw new Error(notEncoded(encoding, read))
    }
  }
  for (let chunk: Buffer | undefined = head; chunk !== undefined; ) {
    yield decode(chunk)
    read += chunk.length
    const { value, done } = await rest.next()
    chunk = done === true ? undefined : value
  }
  yield decode()
}

function notEncoded(encoding: Encoding, read: number): string {
  const place = `after byte ${read.toLocaleString('en')}`
  return encoding === 'utf-8'
    ? `the file is not UTF-8 all through: ${place} there is something else; save it as "CSV UTF-8", or say --encoding windows-1252, and import it again`
    : `the file is not ${encoding} all through: ${place} there is something else; save it as "CSV UTF-8" and import it again`
}
