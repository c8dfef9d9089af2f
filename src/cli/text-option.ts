import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'

export type TextOptions = { text?: string; file?: string }

/** Returns the value of --text, or the unchanged content of the file or standard input that --file names. */
export async function readTextOption({ text, file }: TextOptions): Promise<string> {
  if (text !== undefined && file !== undefined) throw new Error('use either --text or --file, not both')
  if (text !== undefined) return text
  if (file === undefined) throw new Error('use --text or --file to pass the text (- reads standard input)')
  return decode(file === '-' ? await buffer(process.stdin) : await read(file), file)
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new Error(`cannot read ${file}: ${(error as Error).message}`)
  }
}

function decode(bytes: Buffer, file: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Reported below, like a NUL character.
  }
  throw new Error(`${file === '-' ? 'standard input' : file} must be UTF-8 text without NUL characters`)
}
