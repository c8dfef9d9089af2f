import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import type { DecodedType } from './detect-type.ts'
import { readDimensions } from './read-dimensions.ts'

const size = { width: 331, height: 257 }
const image = () => sharp({ create: { ...size, channels: 3, background: 'teal' } })

test.each([
  ['jpeg', () => image().jpeg()],
  ['progressive jpeg', () => image().jpeg({ progressive: true })],
  ['png', () => image().png()],
  ['interlaced png', () => image().png({ progressive: true })],
  ['webp', () => image().webp()],
  ['lossless webp', () => image().webp({ lossless: true })],
  ['webp with transparency', () => image().ensureAlpha(0.5).webp()],
  ['gif', () => image().gif()],
  ['avif', () => image().avif()],
  ['avif with transparency', () => image().ensureAlpha(0.5).avif()],
])('the header of a %s image has its dimensions', async (name, draw) => {
  expect(await dimensionsOf(await draw().toBuffer(), typeIn(name))).toEqual(size)
})

test('metadata of any size can precede the frame header of a jpeg image', async () => {
  const plain = await image().jpeg().toBuffer()
  const segment = Buffer.alloc(2 + 65_535, 'x')
  segment.writeUInt32BE(0xffe1_ffff)
  const long = Buffer.concat([plain.subarray(0, 2), ...Array(100).fill(segment), plain.subarray(2)])
  expect(await dimensionsOf(long, 'image/jpeg')).toEqual(size)
})

test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
  'a %s image that ends anywhere in its header has no dimensions, and no error',
  async (format) => {
    const path = join(temporaryFolder(), 'image')
    writeFileSync(path, await image().toFormat(format).toBuffer())
    const read = []
    for (let length = 300; length >= 0; length -= 5) {
      truncateSync(path, length)
      read.push(await readDimensions(path, `image/${format}`))
    }
    expect(read.at(-1)).toBeUndefined()
    expect(read.filter((one) => one !== undefined && one.width !== size.width)).toEqual([])
  },
)

test.each([
  ['jpeg', 'endless fill bytes', Buffer.alloc(100_000, 0xff)],
  ['jpeg', 'segments without content', Buffer.from('ffe00002'.repeat(50_000), 'hex')],
  ['avif', 'a box that contains itself', Buffer.from(`${'00000008'}6d657461`.repeat(5_000), 'hex')],
  ['avif', 'a box of the largest size', Buffer.from('000000016d657461ffffffffffffffff', 'hex')],
  ['png', 'a height of zero', Buffer.from('89504e470d0a1a0a0000000d494844520000000100000000', 'hex')],
])('a %s header with %s has no dimensions', async (name, _fault, content) => {
  expect(await dimensionsOf(content, typeIn(name))).toBeUndefined()
})

function typeIn(name: string): DecodedType {
  return `image/${/jpeg|png|webp|gif|avif/.exec(name)?.[0]}` as DecodedType
}

function dimensionsOf(content: Buffer, type: DecodedType) {
  const path = join(temporaryFolder(), 'image')
  writeFileSync(path, content)
  return readDimensions(path, type)
}
