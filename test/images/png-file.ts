import { crc32, deflateSync } from 'node:zlib'

type PngOptions = {
  width: number
  height: number
  /** 8 or 16 bits, gray or with all four channels. */
  bits?: 8 | 16
  hasAllChannels?: boolean
  isInterlaced?: boolean
  /** Compressed pixels; by default all of them, black. */
  data?: Buffer
  /** Chunks before the pixels. */
  chunks?: Buffer[]
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

export function pngChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(content.length, 0)
  ends.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)])
}

/** A PNG file. Its pixels are black, so a large image is a small file. */
export function pngFile({ width, height, data, chunks = [], ...form }: PngOptions): Buffer {
  const { bits = 8, hasAllChannels = false, isInterlaced = false } = form
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bits, hasAllChannels ? 6 : 0, 0, 0, isInterlaced ? 1 : 0], 8)
  const bytesPerPixel = (bits / 8) * (hasAllChannels ? 4 : 1)
  const pixels = data ?? blackPixels(width, height, bytesPerPixel, isInterlaced)
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    ...chunks,
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Start and step of the columns and rows of each pass of an interlaced image. */
const passes = [
  [0, 8, 0, 8],
  [4, 8, 0, 8],
  [0, 4, 4, 8],
  [2, 4, 0, 4],
  [0, 2, 2, 4],
  [1, 2, 0, 2],
  [0, 1, 1, 2],
] as const

function blackPixels(width: number, height: number, bytesPerPixel: number, isInterlaced: boolean): Buffer {
  const parts = isInterlaced ? passes : ([[0, 1, 0, 1]] as const)
  const bytes = parts.reduce((sum, [left, across, top, down]) => {
    const columns = Math.max(0, Math.ceil((width - left) / across))
    const rows = columns === 0 ? 0 : Math.max(0, Math.ceil((height - top) / down))
    return sum + rows * (1 + columns * bytesPerPixel)
  }, 0)
  return deflateSync(Buffer.alloc(bytes), { level: 1 })
}
