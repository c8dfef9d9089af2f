import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type OutputInfo, type SharpOptions } from 'sharp'
import type { DecodedType } from './detect-type.ts'
import type { ImageRequest, ImageResult, Thumbnail } from './image-messages.ts'

/** The format that the decoder must report, so that it decodes what was detected. */
const formats: Record<DecodedType, string> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'heif',
}
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}File`)

/** Allows no other decoder, no parallel work, and no cache, which would keep memory between images. */
export function restrictDecoders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loaders })
  sharp.concurrency(1)
  sharp.cache(false)
}

/** The image, upright and in the largest size, as decoded pixels. */
type Pixels = { data: Buffer; info: OutputInfo }

/**
 * Decodes the image once, upright, and derives every size from the largest one. A size is the longer side; no thumbnail is larger
 * than its image. The files contain no metadata.
 */
export async function makeThumbnails(request: ImageRequest): Promise<ImageResult> {
  const { input, type, folder, sizes, maxPixels } = request
  const options: SharpOptions = { limitInputPixels: maxPixels, failOn: 'error', pages: 1 }
  const header = sharp(input, { ...options, limitInputPixels: false })
  const { format, width, height, autoOrient } = await header.metadata()
  if (format !== formats[type]) return { outcome: 'failed', reason: 'unreadable' }
  if (width * height > maxPixels) return { outcome: 'failed', reason: 'too_many_pixels' }
  const pixels = await sharp(input, options)
    .autoOrient()
    .resize(inside(Math.max(...sizes)))
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const files = await writeFiles(pixels, sizes, folder)
  return { outcome: 'made', width: autoOrient.width, height: autoOrient.height, files }
}

async function writeFiles({ data, info }: Pixels, sizes: readonly number[], folder: string) {
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const files: Thumbnail[] = []
  for (const size of sizes) {
    const path = join(folder, `${size}.webp`)
    const last = files.at(-1)
    if (last !== undefined && last.size >= Math.max(info.width, info.height)) {
      // Both sizes exceed the image, so the files are equal.
      await copyFile(last.path, path)
      files.push({ ...last, size, path })
    } else {
      const written = await sharp(data, { raw }).resize(inside(size)).webp().toFile(path)
      files.push({ size, path, width: written.width, height: written.height, bytes: written.size })
    }
  }
  return files
}

function inside(size: number) {
  return { width: size, height: size, fit: 'inside', withoutEnlargement: true } as const
}
