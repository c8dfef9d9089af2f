import { kibibyte } from '../units.ts'

/**
 * The bytes of a response. Up to 16 KiB, they are a Latin-1 string with one character per byte, because Node copies the head and such a
 * body into one buffer, and sends both with one call.
 */
export type StoredBytes = string | Buffer

const longestString = 16 * kibibyte

export function storedBytes(payload: string | Buffer): StoredBytes {
  const size = Buffer.byteLength(payload)
  if (size > longestString) return ownBytes(payload, size)
  const isAscii = typeof payload === 'string' && payload.length === size
  return isAscii ? payload : asBuffer(payload, 'utf8').toString('latin1')
}

/** A copy in its own memory: a part of a larger buffer would keep all of it. */
function ownBytes(payload: string | Buffer, size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size)
  if (typeof payload === 'string') bytes.write(payload)
  else payload.copy(bytes)
  return bytes
}

export function asBuffer(bytes: StoredBytes, encoding: 'latin1' | 'utf8' = 'latin1'): Buffer {
  return typeof bytes === 'string' ? Buffer.from(bytes, encoding) : bytes
}
