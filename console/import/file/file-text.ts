import { detectDelimiter, detectEncoding, type Encoding } from '../../../src/model/files/text-format.ts'
import { csvLimits } from '../../../src/model/limits/files.ts'
import { strings } from '../strings.ts'

export type FileForm = { format: 'csv' | 'ndjson' | 'json'; encoding: Encoding; delimiter: string }

/** An error in the file itself: a retry cannot fix it. */
export class FileError extends Error {}

const sliceBytes = 64 * 1024

/** Detects format, encoding and delimiter from the start of the file. */
export async function formOf(file: File): Promise<FileForm> {
  const head = await bytesOf(file, 0, csvLimits.headBytes)
  const encoding = detectEncoding(head, file.size <= csvLimits.headBytes)
  if (encoding === undefined) throw new FileError(strings.fileErrors.notText)
  const text = new TextDecoder(encoding).decode(head.subarray(0, sliceBytes), { stream: true })
  if (text.trim() === '') throw new FileError(strings.fileErrors.empty)
  return { format: formatOf(file.name, text), encoding, delimiter: detectDelimiter(text) }
}

/** By the file name, or by the content if the name has no known extension. */
function formatOf(name: string, text: string): FileForm['format'] {
  if (/\.(csv|tsv|txt)$/i.test(name)) return 'csv'
  if (/\.(ndjson|jsonl)$/i.test(name)) return 'ndjson'
  const first = text.trimStart()[0] ?? ''
  if (first === '[') return 'json'
  return first === '{' || first === '#' ? 'ndjson' : 'csv'
}

/** A part of the text, and the number of bytes read so far. */
export type TextSlice = { text: string; bytes: number }

/** In slices, so that a large file neither fills the memory nor blocks the page. */
export async function* textOf(file: File, encoding: Encoding): AsyncGenerator<TextSlice> {
  // Fatal: a decoding error would otherwise change names silently.
  const decoder = new TextDecoder(encoding, { fatal: true })
  for (let at = 0; at < file.size; at += sliceBytes) {
    const slice = await bytesOf(file, at, at + sliceBytes)
    const bytes = at + slice.length
    yield { text: decoded(decoder, slice, bytes < file.size, at), bytes }
  }
}

function decoded(decoder: TextDecoder, slice: Uint8Array, isMore: boolean, at: number): string {
  try {
    return decoder.decode(slice, { stream: isMore })
  } catch {
    throw new FileError(strings.fileErrors.encoding(decoder.encoding.toUpperCase(), at.toLocaleString()))
  }
}

async function bytesOf(file: File, from: number, to: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(from, to).arrayBuffer())
  } catch {
    throw new FileError(strings.fileErrors.unreadable)
  }
}
