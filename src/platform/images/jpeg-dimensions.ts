import type { Dimensions, ReadAt } from './dimensions.ts'

/** Metadata in one segment is at most 64 KiB, so this many hold more than the largest upload. */
const mostSegments = 1_000

/** Walks the segments up to the frame header. Metadata of any size can precede it. */
export async function readJpegDimensions(read: ReadAt): Promise<Dimensions | undefined> {
  let position = 2
  for (let segments = 0; segments < mostSegments; segments += 1) {
    const start = await read(position, 9)
    if (start[0] !== 0xff) return undefined
    const marker = start[1] as number
    if (marker === 0xff) position += 1
    else if (isWithoutLength(marker)) position += 2
    else if (isFrameHeader(marker)) return { width: start.readUInt16BE(7), height: start.readUInt16BE(5) }
    else if (isEnd(marker)) return undefined
    else position += 2 + start.readUInt16BE(2)
  }
  return undefined
}

/** SOF0 to SOF15, without DHT, JPG and DAC. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

/** RST0 to RST7, SOI and TEM. */
function isWithoutLength(marker: number): boolean {
  return (marker >= 0xd0 && marker <= 0xd8) || marker === 0x01
}

/** The end of the image, or its data, before a frame header. */
function isEnd(marker: number): boolean {
  return marker === 0xd9 || marker === 0xda || marker === 0x00
}
