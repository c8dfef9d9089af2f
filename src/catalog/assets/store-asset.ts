import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type ImageSize, imageSizes, originalFile, sizeFile } from '../../model/assets/asset-urls.ts'
import type { Writable } from '../../platform/database/database.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import type { ReceivedFile } from '../../platform/http/body/receive-file.ts'
import { Problem } from '../../platform/http/problems.ts'
import { requestJob } from '../../platform/jobs/job.sql.ts'
import { type AssetRow, findAsset, insertAsset, type NewAsset, renewAsset } from './asset.sql.ts'
import { type AssetFile, giveUpFile, keepFile, reserveFile } from './asset-files.sql.ts'
import type { InspectedFile } from './inspect-file.ts'
import { thumbnailKind } from './thumbnail-job.ts'

export type StoredAsset = { asset: AssetRow; isNew: boolean }

/** The paths of thumbnails that already exist, by size. */
export type MadeSizes = Record<ImageSize, string>

type NewFile = ReceivedFile & InspectedFile & { sizes?: MadeSizes }

/**
 * Makes a received file an asset, unless the project has these bytes. The database knows the file before the store does, so that
 * the sweep removes it if this process stops in between. Without `sizes`, a job makes the thumbnails of an image. Throws 410 if a
 * manager has erased these bytes.
 */
export async function storeAsset(
  database: Writable,
  store: FileStore,
  projectId: number,
  file: NewFile,
): Promise<StoredAsset> {
  const stored = await findOrStore(database, store, projectId, file)
  if (stored.asset.state === 'erased') throw new Problem('asset_erased')
  return stored
}

async function findOrStore(
  database: Writable,
  store: FileStore,
  projectId: number,
  { path, bytes, sha256, sizes, ...inspected }: NewFile,
): Promise<StoredAsset> {
  const known = await renewAsset(database, projectId, sha256)
  if (known !== undefined) return { asset: known, isNew: false }
  const own = { projectId, hash: sha256, file: randomBytes(8).toString('hex') }
  if (!(await reserveFile(database, own, bytes))) throw new Problem('storage_full')
  try {
    await store.put(originalFile(projectId, sha256, own.file), { file: path, sha256 })
    if (sizes !== undefined) await putSizes(store, own, sizes)
    const state = inspected.kind === 'image' && sizes === undefined ? 'processing' : 'ready'
    const isNew = await addAsset(database, own, { ...inspected, state, bytes, hash: sha256, file: own.file })
    const asset = await findAsset(database, projectId, sha256)
    if (asset === undefined)
      throw new Problem('not_found', { detail: 'The asset was deleted during the upload.' })
    return { asset, isNew }
  } catch (error) {
    // If this fails too, the sweep removes the file later.
    await database.transaction((tx) => giveUpFile(tx, own), { project: projectId }).catch(() => {})
    throw error
  }
}

async function putSizes(store: FileStore, { projectId, hash, file }: AssetFile, sizes: MadeSizes) {
  for (const size of imageSizes)
    await store.put(sizeFile(projectId, hash, file, size), { bytes: await readFile(sizes[size]) })
}

/** False if another upload of the same bytes was faster. */
function addAsset(database: Writable, own: AssetFile, asset: NewAsset): Promise<boolean> {
  return database.transaction(
    async (tx) => {
      if (!(await insertAsset(tx, own.projectId, asset))) {
        await giveUpFile(tx, own)
        return false
      }
      if (!(await keepFile(tx, own))) throw new Problem('too_busy')
      if (asset.state === 'processing')
        await requestJob(tx, { projectId: own.projectId, kind: thumbnailKind, key: own.hash })
      return true
    },
    { project: own.projectId },
  )
}
