import { open } from 'node:fs/promises'
import { kibibyte } from '../units.ts'

/** Images of these types can be decoded. */
const decodedTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const
export type DecodedType = (typeof decodedTypes)[number]

const otherNames = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
  ['image/apng', 'image/png'],
  ['image/vnd.mozilla.apng', 'image/png'],
])
// Detectors of archives read the whole file, entry by entry. No accepted type needs more than its beginning.
const sampleBytes = 16 * kibibyte
const tiffSignatures = ['II*\0', 'MM\0*']

/** The type of a file by its content. Undefined for text, including HTML and SVG, and for unknown formats. */
export async function detectType(path: string): Promise<string | undefined> {
  const sample = await readStart(path)
  // Loaded with the first file, because it would take 45 ms of every start.
  const { fileTypeFromBuffer } = await import('file-type')
  const found = (await fileTypeFromBuffer(sample))?.mime
  if (found !== undefined) return readType(found)
  // The directory that distinguishes TIFF from raw camera formats is often at the end of the file.
  return tiffSignatures.includes(sample.toString('latin1', 0, 4)) ? 'image/tiff' : undefined
}

/** The type in a `Content-Type` header, comparable with a detected one. */
export function readType(contentType: string): string {
  const name = contentType.replace(/;.*$/s, '').trim().toLowerCase()
  return otherNames.get(name) ?? name
}

export function isDecoded(type: string): type is DecodedType {
  return (decodedTypes as readonly string[]).includes(type)
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sampleBytes), 0, sampleBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
