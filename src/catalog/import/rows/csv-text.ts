import { detectDelimiter, detectEncoding, type Encoding } from '../../../model/files/text-format.ts'
import { csvLimits } from '../../../model/limits/files.ts'

/** The format of a CSV file and its bytes as UTF-8. */
export type CsvText = { encoding: Encoding; delimiter: string; chunks: AsyncGenerator<Buffer> }

/** Detects the delimiter and, unless it is given, the encoding from the beginning of a file. */
export async function openText(stream: AsyncIterable<Buffer>, given?: Encoding): Promise<CsvText> {
  const rest = stream[Symbol.asyncIterator]()
  const chunks: Buffer[] = []
  let size = 0
  let isComplete = false
  while (size < csvLimits.headBytes && !isComplete) {
    const { value, done } = await rest.next()
    isComplete = done === true
    if (isComplete) break
    chunks.push(value)
    size += value.length
  }
  const head = Buffer.concat(chunks)
  const encoding = given ?? detectEncoding(head, isComplete)
  if (encoding === undefined)
    throw new Error(
      'the file is not text; if it is UTF-16, use --encoding utf-16le or save it as "CSV UTF-8"',
    )
  const start = new TextDecoder(encoding).decode(head.subarray(0, 64 * 1024), { stream: true })
  return { encoding, delimiter: detectDelimiter(start), chunks: asUtf8(encoding, head, rest) }
}

async function* asUtf8(
  encoding: Encoding,
  head: Buffer,
  rest: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer> {
  // Windows-1252 accepts every byte. In the other encodings, an invalid byte must not become a wrong character.
  const decoder = new TextDecoder(encoding, { fatal: true })
  let read = 0
  const decode = (chunk?: Buffer): Buffer => {
    try {
      const text = decoder.decode(chunk, { stream: chunk !== undefined })
      return encoding === 'utf-8' ? (chunk ?? Buffer.alloc(0)) : Buffer.from(text)
    } catch {
      throw new Error(describeInvalidBytes(encoding, read))
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

function describeInvalidBytes(encoding: Encoding, read: number): string {
  const place = `after byte ${read.toLocaleString('en')}`
  return encoding === 'utf-8'
    ? `the file is not valid UTF-8 ${place}; save it as "CSV UTF-8" or use --encoding windows-1252, then import it again`
    : `the file is not valid ${encoding} ${place}; save it as "CSV UTF-8", then import it again`
}
