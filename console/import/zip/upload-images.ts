import type { ZippedFile } from '../../../src/model/files/read-zip.ts'
import { assetLimits } from '../../../src/model/limits/assets.ts'
import { withNewImages } from '../../../src/model/product/new-images.ts'
import { limitConcurrency } from '../../parts/concurrency.ts'
import { declaredType } from '../../parts/uploads/declared-type.ts'
import { isAboutFile, refusal, uploadError, uploadFile } from '../../parts/uploads/upload-file.ts'
import type { ImagesOfProduct } from './read-images.ts'

export type RejectedImage = { name: string; reason: string }

type Uploading = { project: number; products: ImagesOfProduct[]; signal: AbortSignal; onImage: () => void }

/**
 * Uploads all images, and returns one line per product. A product with a rejected image has no line, so it keeps its images. You can
 * repeat the call: the service stores each image only once.
 */
export async function uploadImages({ project, products, signal, onImage }: Uploading) {
  // Few at a time, because each image is in memory during its upload.
  const inTurn = limitConcurrency(assetLimits.uploadsOfProject)
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const rejected: RejectedImage[] = []
  const upload = (image: ZippedFile) =>
    inTurn(async () => {
      either.throwIfAborted()
      const id = await uploadImage(project, image, either).catch((error: Error) => {
        rejected.push({ name: image.name, reason: reasonOf(error) })
        return undefined
      })
      onImage()
      return id
    }).catch((error: Error) => {
      stop.abort(error)
      throw error
    })
  const lines = await Promise.all(
    products.map(async ({ sku, media, images }) => {
      const ids = await Promise.all(images.map(upload))
      const added = ids.filter((id) => id !== undefined)
      return added.length < images.length ? undefined : { sku, media: withNewImages(media, added) }
    }),
  )
  return { lines: lines.filter((line) => line !== undefined), rejected }
}

async function uploadImage(project: number, image: ZippedFile, signal: AbortSignal): Promise<string> {
  const file = await unpacked(image)
  const reason = refusal(file)
  if (reason !== undefined) throw new RefusedImage(reason)
  return (await uploadFile(project, file, { signal, progress: () => {} })).id
}

class RefusedImage extends Error {}

/** Throws errors that are not about this file. */
function reasonOf(error: Error): string {
  if (error instanceof RefusedImage) return error.message
  if (isAboutFile(error)) return uploadError(error)
  throw error
}

/** Stops after the limit, whatever size the zip file declares. */
async function unpacked({ name, open }: ZippedFile): Promise<File> {
  const parts: BlobPart[] = []
  let bytes = 0
  for await (const part of open()) {
    bytes += part.length
    parts.push(part as Uint8Array<ArrayBuffer>)
    if (bytes > assetLimits.bytes) break
  }
  const file = new File(parts, name)
  return new File([file], name, { type: await declaredType(file) })
}
