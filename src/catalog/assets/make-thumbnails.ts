import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type ImageSize, imageSizes, originalFile, sizeFile } from '../../model/assets/asset-urls.ts'
import { assetLimits } from '../../model/limits/assets.ts'
import type { Writable } from '../../platform/database/database.ts'
import { type FileStore, FileStoreFailure } from '../../platform/file-store/file-store.ts'
import type { DecodedType } from '../../platform/images/detect-type.ts'
import type { ImageProcess } from '../../platform/images/image-process.ts'
import type { JobKind, JobResult, RunningJob } from '../../platform/jobs/job.ts'
import type { MediaStore } from '../media-store/media-store.ts'
import { type AssetRow, findAsset } from './asset.sql.ts'
import { removeSizes } from './remove-files.ts'
import { setFailed, setReady, thumbnailKind } from './thumbnail-job.ts'

type ThumbnailParts = { database: Writable; media: MediaStore; images: ImageProcess }

/** Makes the smaller sizes of images, one image at a time. */
export function thumbnailJobs(parts: ThumbnailParts): JobKind {
  return {
    name: thumbnailKind,
    maxConcurrent: 1,
    maxPerProject: 1,
    reserved: 0,
    maxAttempts: assetLimits.thumbnailAttempts,
    maxPauseSeconds: assetLimits.thumbnailPauseSeconds,
    run: (job) => runJob(parts, job),
  }
}

async function runJob(
  { database, media, images }: ThumbnailParts,
  { projectId, key: hash, signal }: RunningJob,
): Promise<JobResult> {
  const asset = await findAsset(database, projectId, hash)
  if (asset?.state !== 'processing') return 'done'
  const store = await media.require()
  const shortage = await store.findShortage()
  if (shortage !== undefined) throw new FileStoreFailure(store.description, new Error(shortage))
  return withTemporaryFolder(store.incoming, async (folder) => {
    const input = join(folder, 'original')
    await copyOriginal(store, projectId, asset, input)
    const image = { input, type: asset.mime as DecodedType, folder, sizes: imageSizes }
    const result = await images.makeThumbnails({ ...image, maxPixels: assetLimits.pixels }, signal)
    if (result.outcome === 'made') {
      await storeSizes({ database, store }, { projectId, hash, file: asset.file }, result)
      return 'done'
    }
    // Another process may be able to, or this installation later.
    if (result.reason === 'unavailable') return { againInMilliseconds: assetLimits.noDecoderSeconds * 1000 }
    if (result.reason !== 'unreadable' && result.reason !== 'too_many_pixels')
      throw new Error(`the image could not be decoded: ${result.reason}`)
    await setFailed(database, projectId, hash)
    return 'done'
  })
}

async function copyOriginal(
  store: FileStore,
  projectId: number,
  { hash, file }: Pick<AssetRow, 'hash' | 'file'>,
  to: string,
): Promise<void> {
  const original = await store.get(originalFile(projectId, hash, file))
  if (original === undefined) throw new Error('the store does not have the file')
  await pipeline(original.body, createWriteStream(to)).catch((error) => {
    throw new FileStoreFailure(store.description, error)
  })
}

type MadeSizes = { width: number; height: number; files: { size: number; path: string }[] }

/** If the asset was removed meanwhile, so are its sizes. If this is interrupted, the job runs again. */
async function storeSizes(
  { database, store }: { database: Writable; store: FileStore },
  own: { projectId: number; hash: string; file: string },
  { files, ...dimensions }: MadeSizes,
): Promise<void> {
  for (const { size, path } of files)
    await store.put(sizeFile(own.projectId, own.hash, own.file, size as ImageSize), {
      bytes: await readFile(path),
    })
  if (!(await setReady(database, own, dimensions))) await removeSizes(store, own)
}

async function withTemporaryFolder<Result>(
  parent: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await newFolder(parent)
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function newFolder(parent: string): Promise<string> {
  try {
    await mkdir(parent, { recursive: true, mode: 0o700 })
    return await mkdtemp(join(parent, 'image-'))
  } catch (error) {
    throw new FileStoreFailure(`the folder ${parent}`, error)
  }
}
