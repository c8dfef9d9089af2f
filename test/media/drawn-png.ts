import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { pngChunk } from '../images/png-file.ts'

/** A valid PNG image with random pixels, so that no two are equal. */
export function drawnPng(width = 8, height = 8): Buffer {
  const rows = Array.from({ length: height }, () => Buffer.concat([Buffer.of(0), randomBytes(width * 3)]))
  return pngOf(width, height, deflateSync(Buffer.concat(rows)))
}

/** A PNG file with any header and any compressed content. */
export function pngOf(width: number, height: number, content: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits per channel, red, green and blue.
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', content),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}
