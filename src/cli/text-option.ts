import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'

export type TextOptions = { text?: string; file?: string }

/** The text of --text, or of the file or the standard input that --file names, exactly as it is. */
export async function readTextOption({ text, file }: TextOptions): Promise<string> {
  if (text !== undefined && file !== undefined) throw new Error('give --text or --file, not both')
  if (text !== undefined) return text
  if (file === undefined) throw new Error('give the text with --text, or with --file (- is standard input)')
  return decode(file === '-' ? await buffer(process.stdin) : await read(file), file)
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function decode(bytes: Buffer, file: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // The error below is the same as for NUL.
  }
  throw new Error(`${file === '-' ? 'standard input' : file} is not text in UTF-8 without NUL`)
}
