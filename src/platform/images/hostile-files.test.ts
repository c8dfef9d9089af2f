import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { scaled } from '../../../test/faults/scale.ts'
import { bombs, brokenFiles, disguises, type HostileFile } from '../../../test/images/hostile-files.ts'
import { pngFile } from '../../../test/images/png-file.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { type ImageLimits, imageLimits } from '../limits/images.ts'
import { mebibyte } from '../units.ts'
import { detectType, isDecoded } from './detect-type.ts'
import { openImageProcess } from './image-process.ts'
import { readDimensions } from './read-dimensions.ts'

const maxPixels = 50_000_000
/** Small ones, because these tests are about decoding. */
const sizes = scaled([64], [64, 256, 1024, 2048])

describe('fault 42: hostile images', () => {
  test('fault 42: bombs and headers that promise too much stay within all limits', async () => {
    expect(await differencesOf(await bombs())).toEqual([])
  })

  test('fault 42: text and other formats that claim to be images are refused or harmless', async () => {
    expect(await differencesOf(await disguises())).toEqual([])
  })

  test('fault 42: broken files never prevent the next image', async () => {
    expect(await differencesOf(await brokenFiles(41, scaled(8, 400)))).toEqual([])
  })

  test('fault 42: an image that needs too much memory is stopped, and the next one succeeds', async () => {
    const [side, megabytes] = scaled([4_000, 160], [7_000, 512])
    const { tryFile } = opened({ residentBytes: megabytes * mebibyte })
    const large = { width: side, height: side, bits: 16, hasAllChannels: true, isInterlaced: true } as const
    expect(await tryFile('image/png', pngFile(large))).toBe('too_much_memory')
    expect(await tryFile('image/png', pngFile({ width: 64, height: 64 }))).toBe('made')
  })
})

/** The files whose outcome is not the expected one. After all of them, an ordinary image succeeds. */
async function differencesOf(files: HostileFile[]) {
  const { tryFile } = opened()
  const differences: object[] = []
  for (const { name, declared, content, expected } of files) {
    const outcome = await tryFile(declared, content)
    const isFailure = ['unreadable', 'too_many_pixels', 'too_slow', 'too_much_memory'].includes(outcome)
    const kind = isFailure ? 'failed' : outcome
    if (kind === 'crashed' || (expected !== 'any' && kind !== expected))
      differences.push({ name, outcome, expected })
  }
  const ordinary = await sharp({ create: { width: 90, height: 60, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  expect(await tryFile('image/jpeg', ordinary)).toBe('made')
  return differences
}

function opened(limits: Partial<ImageLimits> = {}) {
  const images = openImageProcess({ ...imageLimits, ...limits })
  const folder = temporaryFolder()
  const input = join(folder, 'file')
  onTestFinished(images.close)
  /** What an upload does, then what the decoder does. */
  async function tryFile(declared: string, content: Buffer): Promise<string> {
    writeFileSync(input, content)
    const type = await detectType(input)
    if (type === undefined || type !== declared || !isDecoded(type)) return 'refused'
    const dimensions = await readDimensions(input, type)
    if (dimensions === undefined || dimensions.width * dimensions.height > maxPixels) return 'refused'
    const result = await images.makeThumbnails({ input, type, folder, sizes, maxPixels })
    return result.outcome === 'made' ? 'made' : result.reason
  }
  return { tryFile }
}
