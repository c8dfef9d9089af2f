import { type FileHandle, open } from 'node:fs/promises'
import { readAvifDimensions } from './avif-dimensions.ts'
import type { DecodedType } from './detect-type.ts'
import type { Dimensions, ReadAt } from './dimensions.ts'
import { readJpegDimensions } from './jpeg-dimensions.ts'

const readers: Record<DecodedType, (read: ReadAt) => Promise<Dimensions | undefined>> = {
  'image/jpeg': readJpegDimensions,
  'image/png': readPng,
  'image/webp': readWebp,
  'image/gif': readGif,
  'image/avif': readAvifDimensions,
}

/**
 * Reads the dimensions from the header, without decoding and before any rotation that the metadata asks for. Undefined if the
 * header is incomplete or invalid.
 */
export async function readDimensions(path: string, type: DecodedType): Promise<Dimensions | undefined> {
  const file = await open(path)
  try {
    const found = await readers[type](readerOf(file))
    return found !== undefined && found.width > 0 && found.height > 0 ? found : undefined
  } catch (error) {
    if (error === incomplete) return undefined
    throw error
  } finally {
    await file.close()
  }
}

const incomplete = new Error('the file ends within its header')

function readerOf(file: FileHandle): ReadAt {
  return async (position, length) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
    if (bytesRead < length) throw incomplete
    return buffer
  }
}

async function readPng(read: ReadAt): Promise<Dimensions | undefined> {
  const header = await read(0, 24)
  if (header.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) }
}

async function readGif(read: ReadAt): Promise<Dimensions> {
  const header = await read(0, 10)
  return { width: header.readUInt16LE(6), height: header.readUInt16LE(8) }
}

/** Lossy, lossless, or extended, which has a canvas. */
async function readWebp(read: ReadAt): Promise<Dimensions | undefined> {
  const header = await read(0, 30)
  switch (header.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: header.readUInt16LE(26) & 0x3fff, height: header.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const packed = header.readUInt32LE(21)
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: header.readUIntLE(24, 3) + 1, height: header.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}
