import { createReadStream } from 'node:fs'
import { inspectFile } from '../../catalog/assets/inspect-file.ts'
import { storeAsset } from '../../catalog/assets/store-asset.ts'
import type { MediaStore } from '../../catalog/media-store/media-store.ts'
import { assetPath } from '../../model/assets/asset-urls.ts'
import { assetLimits } from '../../model/limits/assets.ts'
import type { Writable } from '../../platform/database/database.ts'
import { withTemporaryFile, writeChunks } from '../../platform/http/body/receive-file.ts'
import type { JobKind, JobResult } from '../../platform/jobs/job.ts'
import { demoLimits } from '../limits.ts'
import { openPictures, type Picture, pictureKind } from './demo-pictures.ts'
import { type LoadedPicture, listProductsWithAddresses, showPictures } from './load-pictures.sql.ts'

/** Loads the pictures of demo products in the background, so that the start does not wait for them. */
export function pictureJobs(database: Writable, media: MediaStore): JobKind {
  return {
    name: pictureKind,
    ...{ maxConcurrent: 1, maxPerProject: 1, reserved: 0 },
    maxAttempts: demoLimits.pictureAttempts,
    maxPauseSeconds: demoLimits.picturePauseSeconds,
    run: ({ projectId, signal }) => loadPictures({ database, media, projectId }, signal),
  }
}

type Parts = { database: Writable; media: MediaStore; projectId: number }

/** Loads the pictures of a few products. Without a store, the products keep the addresses. */
async function loadPictures(parts: Parts, signal: AbortSignal): Promise<JobResult> {
  const { database, media, projectId } = parts
  if (!media.isConfigured) return 'done'
  const products = await listProductsWithAddresses(database, projectId, demoLimits.pictureProducts)
  const [first] = products
  if (first === undefined) return 'done'
  const find = openPictures()
  const pictures: LoadedPicture[] = []
  for (const url of new Set(products.flatMap((product) => product.media.map((item) => item.url)))) {
    signal.throwIfAborted()
    const picture = find(url)
    if (picture === undefined) continue
    const hash = await upload(parts, picture)
    pictures.push({ url, hash, path: assetPath(first.media_key, hash, 'image') })
  }
  // Without this error, the job would find the same products again and never end.
  if (pictures.length === 0) throw new Error('the demo data has no file for an address')
  const ids = products.map(({ id }) => id)
  await database.transaction((tx) => showPictures(tx, projectId, ids, pictures))
  return { againInMilliseconds: 0 }
}

/** Stores a picture like an upload, and returns its hash. */
async function upload({ database, media, projectId }: Parts, picture: Picture): Promise<string> {
  const store = await media.require()
  return withTemporaryFile(store.incoming, async (path, handle) => {
    const written = await writeChunks(handle, createReadStream(picture.path), assetLimits.bytes)
    const received = { path, ...written, ...(await inspectFile(path)), sizes: picture.sizes }
    return (await storeAsset(database, store, projectId, received)).asset.hash
  })
}
