export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

/** How a CSV file is written, and its bytes as UTF-8. */
export type CsvText = { encoding: Encoding; delimiter: string; chunks: AsyncGenerator<Buffer> }

/** The encoding is found out from so many bytes, the delimiter from far fewer. */
const headBytes = 1024 * 1024
const delimiters = [',', ';', '\t'] as const

/** Finds out the encoding and the delimiter from the first part of a file; an encoding that is given is taken as it is. */
export async function openText(stream: AsyncIterable<Buffer>, given?: Encoding): Promise<CsvText> {
  const rest = stream[Symbol.asyncIterator]()
  const chunks: Buffer[] = []
  let size = 0
  let isWhole = false
  while (size < headBytes && !isWhole) {
    const { value, done } = await rest.next()
    isWhole = done === true
    if (isWhole) break
    chunks.push(value)
    size += value.length
  }
  const head = Buffer.concat(chunks)
  const encoding = given ?? encodingOf(head, isWhole)
  const start = new TextDecoder(encoding).decode(head.subarray(0, 64 * 1024), { stream: true })
  return { encoding, delimiter: delimiterOf(start), chunks: asUtf8(encoding, head, rest) }
}

function encodingOf(head: Buffer, isWhole: boolean): Encoding {
  const [first, second] = head
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (head.includes(0))
    throw new Error(
      'the file has bytes that no text has; if it is UTF-16, say --encoding utf-16le, or save it as "CSV UTF-8"',
    )
  return isUtf8(head, isWhole) ? 'utf-8' : 'windows-1252'
}

function isUtf8(bytes: Buffer, isWhole: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole })
    return true
  } catch {
    return false
  }
}

/** The delimiter that stands most often in the header row, outside of quotes. */
function delimiterOf(text: string): string {
  const counts = { ',': 0, ';': 0, '\t': 0 }
  let isQuoted = false
  for (const character of text.replace(/^[\ufeff\r\n]+/, '')) {
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '\n' || character === '\r') break
    else if (character in counts) counts[character as keyof typeof counts] += 1
  }
  return delimiters.reduce((best, other) => (counts[other] > counts[best] ? other : best))
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
