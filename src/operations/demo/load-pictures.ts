import { createReadStream } from 'node:fs'
import { inspectFile } from '../../catalog/assets/inspect-file.ts'
import type { MediaStore } from '../../catalog/assets/media-store.ts'
import { storeAsset } from '../../catalog/assets/store-asset.ts'
import { currentRuleset } from '../../catalog/rulesets/rulesets.ts'
import { assetId } from '../../model/assets/asset-id.ts'
import { assetLimits } from '../../model/limits/assets.ts'
import type { Writable } from '../../platform/database/database.ts'
import { withTemporaryFile, writeChunks } from '../../platform/http/body/receive-file.ts'
import type { JobKind, JobResult } from '../../platform/jobs/job.ts'
import { demoLimits } from '../limits.ts'
import { authors } from './demo-data.ts'
import { pushLines } from './demo-history.ts'
import { isPictureAddress, openPictures, pictureKind } from './demo-pictures.ts'
import {
  backdateLastChange,
  hasUnfinishedImages,
  type Item,
  listProductsWithAddresses,
} from './load-pictures.sql.ts'

/** Gives the products of a demo their pictures after the start, which does not wait for them. */
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
  // Few images wait at a time, so that a user's own upload is soon next.
  if (await hasUnfinishedImages(database, projectId, demoLimits.unfinishedPictures))
    return { againInMilliseconds: demoLimits.pictureWaitMilliseconds }
  const products = await listProductsWithAddresses(database, projectId, demoLimits.pictureProducts)
  if (products.length === 0) return 'done'
  const load = pictureLoader(parts)
  const lines: { sku: string; media: object[] }[] = []
  for (const product of products) {
    signal.throwIfAborted()
    const items = await Promise.all(product.media.map(load))
    lines.push({ sku: product.sku, media: items.filter((item) => item !== undefined) })
  }
  const ruleset = await currentRuleset(database, projectId)
  await database.transaction(async (tx) => {
    await pushLines(tx, { projectId, ruleset, promptIds: new Map() }, authors.pictures, lines, 'updated')
    const ids = products.map(({ id }) => id)
    await backdateLastChange(tx, projectId, ids)
  })
  return { againInMilliseconds: 0 }
}

/** Uploads the picture at an address. Undefined if there is none; other items do not change. */
function pictureLoader({ database, media, projectId }: Parts) {
  const find = openPictures()
  return async ({ url, ...item }: Item): Promise<object | undefined> => {
    if (!isPictureAddress(url)) return { url, ...item }
    const file = find(url)
    return file === undefined ? undefined : { asset: assetId(await upload(file)), ...item }
  }

  async function upload(file: string): Promise<string> {
    const store = await media.require()
    return withTemporaryFile(store.incoming, async (path, handle) => {
      const written = await writeChunks(handle, createReadStream(file), assetLimits.bytes)
      const received = { path, ...written, ...(await inspectFile(path)) }
      return (await storeAsset(database, store, projectId, received)).asset.hash
    })
  }
}
