import type { Dimensions, ReadAt } from './dimensions.ts'

type Box = { type: string; start: number; end: number }
type Range = { start: number; end: number }

const mostBoxes = 1_000

/**
 * The largest extent (`ispe`) of all items: the image, its tiles, its transparency and its thumbnails. No item is larger than the
 * image.
 */
export async function readAvifDimensions(read: ReadAt): Promise<Dimensions | undefined> {
  const meta = await findBox(read, { start: 0, end: Number.MAX_SAFE_INTEGER }, 'meta')
  // A full box: its version and flags precede its content.
  const properties = meta && (await findBox(read, { ...meta, start: meta.start + 4 }, 'iprp'))
  const container = properties && (await findBox(read, properties, 'ipco'))
  if (container === undefined) return undefined
  let largest: Dimensions | undefined
  for await (const { type, start } of boxesIn(read, container)) {
    if (type !== 'ispe') continue
    const extent = await read(start + 4, 8)
    const one = { width: extent.readUInt32BE(0), height: extent.readUInt32BE(4) }
    if (largest === undefined || one.width * one.height > largest.width * largest.height) largest = one
  }
  return largest
}

async function findBox(read: ReadAt, range: Range, type: string): Promise<Box | undefined> {
  for await (const box of boxesIn(read, range)) if (box.type === type) return box
  return undefined
}

async function* boxesIn(read: ReadAt, { start, end }: Range): AsyncGenerator<Box> {
  let position = start
  for (let boxes = 0; boxes < mostBoxes && position < end; boxes += 1) {
    const header = await read(position, 8)
    const short = header.readUInt32BE(0)
    const isLong = short === 1
    const size = isLong ? Number((await read(position + 8, 8)).readBigUInt64BE()) : short
    const headerSize = isLong ? 16 : 8
    // 0 means up to the end of the file.
    const next = size === 0 ? end : position + size
    if (size !== 0 && size < headerSize) return
    yield { type: header.toString('latin1', 4, 8), start: position + headerSize, end: Math.min(next, end) }
    position = next
  }
}
