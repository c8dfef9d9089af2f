import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { isAssetMime } from '../../model/assets/asset-types.ts'
import { detectType, isDecoded, readType } from './detect-type.ts'

test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('a %s image is recognized', async (format) => {
  const image = await drawn().toFormat(format).toBuffer()
  expect(await typeOf(image)).toBe(`image/${format}`)
  expect(isDecoded(`image/${format}`)).toBe(true)
})

test('a tiff image is recognized, also with its directory at the end of a large file', async () => {
  const large = { width: 400, height: 400, channels: 3, background: 'red' } as const
  const image = await sharp({ create: large }).tiff({ compression: 'none' }).toBuffer()
  expect(image.readUInt32LE(4)).toBeGreaterThan(400_000)
  expect(await typeOf(image)).toBe('image/tiff')
  expect(isDecoded('image/tiff')).toBe(false)
})

test.each([
  ['application/pdf', '%PDF-1.7\n'],
  ['video/mp4', '\0\0\0\x18ftypisom\0\0\x02\0isomiso2'],
  ['video/webm', '\x1a\x45\xdf\xa3\x8b\x42\x82\x84webm\x18\x53\x80\x67'],
])('%s is recognized', async (type, start) => {
  expect(await typeOf(Buffer.from(start, 'latin1'))).toBe(type)
})

test.each([
  ['svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['svg with an XML declaration', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['html', '<!doctype html><script>alert(1)</script>'],
  ['text', 'hello'],
  ['nothing', ''],
  ['zip', 'PK\x03\x04\x14\0\0\0\0\0'],
  ['bmp', 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0'],
  ['heic', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
  ['quicktime', '\0\0\0\x14ftypqt  \0\0\0\0qt  '],
  ['matroska', '\x1a\x45\xdf\xa3\x8f\x42\x82\x88matroska'],
  ['photoshop', '8BPS\0\x01'],
  ['an executable', '\x7fELF\x02\x01\x01'],
])('%s is not recognized as an accepted type', async (_name, content) => {
  const type = await typeOf(Buffer.from(content, 'latin1'))
  expect(type !== undefined && isAssetMime(type)).toBe(false)
})

test('a declared type is read without parameters and case, and common other names are known', () => {
  expect(readType('Image/PNG; charset=binary')).toBe('image/png')
  expect(readType('image/jpg')).toBe('image/jpeg')
  expect(readType('image/svg+xml')).toBe('image/svg+xml')
})

function drawn() {
  return sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
}

function typeOf(content: Buffer) {
  const path = join(temporaryFolder(), 'file')
  writeFileSync(path, content)
  return detectType(path)
}
