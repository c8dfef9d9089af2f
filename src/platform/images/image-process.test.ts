import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { createFolder, temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { type ImageLimits, imageLimits } from '../limits/images.ts'
import { openImageProcess } from './image-process.ts'

const made = { sizes: [64, 256, 1024, 2048], maxPixels: 10_000_000 }
const small = { ...made, sizes: [64] }

test('images of every type get all sizes, and none is larger than its image', async () => {
  const { makeThumbnails, folder } = opened()
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
    const input = await drawn(join(folder, 'image'), 300, 200, format)
    const result = await makeThumbnails({ input, type: `image/${format}`, folder, ...made })
    expect(result).toMatchObject({
      outcome: 'made',
      width: 300,
      height: 200,
      files: [
        { size: 64, width: 64, height: 43 },
        { size: 256, width: 256, height: 171 },
        { size: 1024, width: 300, height: 200 },
        { size: 2048, width: 300, height: 200 },
      ],
    })
    for (const { path, bytes } of result.outcome === 'made' ? result.files : []) {
      expect(statSync(path).size).toBe(bytes)
      expect((await sharp(path).metadata()).format).toBe('webp')
    }
  }
})

test('thumbnails are upright and contain no metadata', async () => {
  const { makeThumbnails, folder } = opened()
  const input = join(folder, 'image')
  const exif = { IFD0: { Copyright: 'someone' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } }
  await sharp({ create: { width: 300, height: 100, channels: 3, background: 'red' } })
    .withMetadata({ orientation: 6, exif, icc: 'p3' })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
    .jpeg()
    .toFile(input)
  const result = await makeThumbnails({ input, type: 'image/jpeg', folder, ...made })
  expect(result).toMatchObject({ outcome: 'made', width: 100, height: 300 })
  const {
    width,
    height,
    exif: found,
    xmp,
    icc,
    orientation,
  } = await sharp(join(folder, '64.webp')).metadata()
  expect({ width, height, found, xmp, icc, orientation }).toEqual({ width: 21, height: 64 })
})

test('16-bit, transparent and CMYK images keep their colors', async () => {
  const { makeThumbnails, folder } = opened()
  const red = () => sharp({ create: { width: 80, height: 80, channels: 3, background: '#d03020' } })
  const images = {
    deep: red().toColourspace('rgb16').png(),
    transparent: red().ensureAlpha(0.5).png(),
    print: red().toColourspace('cmyk').jpeg(),
  }
  for (const [name, image] of Object.entries(images)) {
    const input = join(folder, name)
    const { format } = await image.toFile(input)
    const type = format === 'png' ? 'image/png' : 'image/jpeg'
    expect(await makeThumbnails({ input, type, folder, ...made })).toMatchObject({ outcome: 'made' })
    const [r = 0, g = 0, b = 0] = await sharp(join(folder, '64.webp')).raw().toBuffer()
    const difference = Math.abs(r - 0xd0) + Math.abs(g - 0x30) + Math.abs(b - 0x20)
    expect([name, difference < 40]).toEqual([name, true])
  }
})

test('the process does not have the environment of the service', async () => {
  const { findProblem, processId } = opened()
  expect(await findProblem()).toBeUndefined()
  const variables = readFileSync(`/proc/${processId()}/environ`, 'utf8').split('\0')
  const ofNode = (name: string) => name === '' || name.startsWith('NODE_CHANNEL_')
  expect(variables.filter((name) => !ofNode(name)).sort()).toEqual([
    'MALLOC_ARENA_MAX=1',
    'UV_THREADPOOL_SIZE=1',
    'VIPS_BLOCK_UNTRUSTED=1',
  ])
})

test.each([
  ['memory', { residentBytes: 1 }, 'too_much_memory'],
  ['processor time', { processorMilliseconds: 1 }, 'too_slow'],
  ['time', { imageMilliseconds: 1 }, 'too_slow'],
])('the process is killed at its limit of %s', async (_name, limit, reason) => {
  const { makeThumbnails, findProblem, ended, folder } = opened({ ...limit, checkMilliseconds: 1 })
  const input = await largeImage()
  await findProblem()
  const isEnded = ended()
  expect(await makeThumbnails({ input, type: 'image/png', folder, ...made })).toEqual({
    outcome: 'failed',
    reason,
  })
  await isEnded()
})

test('an image fails if the process is killed, and the next one gets a new process', async () => {
  const { makeThumbnails, findProblem, processId, folder } = opened()
  const input = await largeImage()
  await findProblem()
  const child = processId() as number
  const failing = makeThumbnails({ input, type: 'image/png', folder, ...small })
  const waiting = makeThumbnails({ input, type: 'image/png', folder, ...small })
  process.kill(child, 'SIGKILL')
  expect(await failing).toEqual({ outcome: 'failed', reason: 'crashed' })
  expect(await waiting).toMatchObject({ outcome: 'made' })
  expect(processId()).not.toBe(child)
})

test('an aborted image ends its process, and a waiting one never starts', async () => {
  const { makeThumbnails, processId, ended, folder } = opened()
  const input = await largeImage()
  const aborting = new AbortController()
  const running = makeThumbnails({ input, type: 'image/png', folder, ...small }, aborting.signal)
  const waiting = makeThumbnails({ input, type: 'image/png', folder, ...small }, aborting.signal)
  await expect.poll(processId).toBeDefined()
  const isEnded = ended()
  aborting.abort(new Error('stopping'))
  const stopped = { status: 'rejected', reason: expect.objectContaining({ message: 'stopping' }) }
  expect(await Promise.allSettled([running, waiting])).toEqual([stopped, stopped])
  await isEnded()
  expect(processId()).toBeUndefined()
})

test('an idle process ends', async () => {
  const { findProblem, ended } = opened({ idleMilliseconds: 500 })
  await findProblem()
  await ended()()
})

let large: Promise<string> | undefined

/** An image that takes long to decode. Drawn only once, because drawing takes long too. */
function largeImage(): Promise<string> {
  if (large === undefined) {
    const folder = createFolder()
    whenFileEnds(() => rmSync(folder, { recursive: true }))
    large = drawn(join(folder, 'image'), 3000, 3000, 'png')
  }
  return large
}

function opened(limits: Partial<ImageLimits> = {}) {
  const images = openImageProcess({ ...imageLimits, ...limits })
  const folder = temporaryFolder()
  /** Waits until the process that runs now has ended. */
  const ended = () => {
    const id = images.processId()
    expect(id).toBeDefined()
    return () => expect.poll(() => existsSync(`/proc/${id}`)).toBe(false)
  }
  onTestFinished(async () => {
    const isEnded = images.processId() === undefined ? undefined : ended()
    images.close()
    await isEnded?.()
  })
  return { ...images, folder, ended }
}

async function drawn(
  path: string,
  width: number,
  height: number,
  format: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif',
) {
  const create = { width, height, channels: 3, background: 'olive' } as const
  await sharp({ create }).toFormat(format).toFile(path)
  return path
}
