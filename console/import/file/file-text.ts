import { delimiterOf, type Encoding, encodingOf } from '../../../src/model/files/text-form.ts'
import { csvLimits } from '../../../src/model/limits/files.ts'

export type FileForm = { format: 'csv' | 'ndjson' | 'json'; encoding: Encoding; delimiter: string }

/** What is wrong with the file itself: no second try mends it. */
export class FileError extends Error {}

const sliceBytes = 64 * 1024

/** Finds out from the beginning of a file how to read it. */
export async function formOf(file: File): Promise<FileForm> {
  const head = await bytesOf(file, 0, csvLimits.headBytes)
  const encoding = encodingOf(head, file.size <= csvLimits.headBytes)
  if (encoding === undefined)
    throw new FileError('This is no text file. Save a spreadsheet as “CSV UTF-8”, then choose that file.')
  const text = new TextDecoder(encoding).decode(head.subarray(0, sliceBytes), { stream: true })
  if (text.trim() === '') throw new FileError('This file is empty.')
  return { format: formatOf(file.name, text), encoding, delimiter: delimiterOf(text) }
}

/** By the name, unless that leaves it open. */
function formatOf(name: string, text: string): FileForm['format'] {
  if (/\.(csv|tsv|txt)$/i.test(name)) return 'csv'
  if (/\.(ndjson|jsonl)$/i.test(name)) return 'ndjson'
  const first = text.trimStart()[0] ?? ''
  if (first === '[') return 'json'
  return first === '{' || first === '#' ? 'ndjson' : 'csv'
}

/** A part of the text, and how many bytes of the file are read by then. */
export type TextSlice = { text: string; bytes: number }

/** Slice by slice, so that a large file neither fills the memory nor holds the page up. */
export async function* textOf(file: File, encoding: Encoding): AsyncGenerator<TextSlice> {
  // Windows-1252 has a character for every byte; in the others a fault would become a name that nobody meant.
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
    throw new FileError(
      `The file is not ${decoder.encoding.toUpperCase()} all through: after byte ${at.toLocaleString()} there is something else. Save it as “CSV UTF-8”, then choose it again.`,
    )
  }
}

async function bytesOf(file: File, from: number, to: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(from, to).arrayBuffer())
  } catch {
    throw new FileError('The file cannot be read: it was changed, moved or removed. Choose it again.')
  }
}
