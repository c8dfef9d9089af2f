import { tmpdir } from 'node:os'
import type { AssetKind } from '../../model/assets/asset-types.ts'
import { assetLimits } from '../../model/limits/assets.ts'
import type { Database } from '../../platform/database/database.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { withTemporaryFile, writeChunks } from '../../platform/http/body/receive-file.ts'
import { openMediaStore } from '../media-store/media-store.ts'
import { inspectFile } from './inspect-file.ts'
import { storeAsset } from './store-asset.ts'

export type UploadedFile = { hash: string; kind: AssetKind }

/** Takes a file that a command has read. Throws a problem if the service does not accept it. */
export type UploadFile = (chunks: AsyncIterable<Uint8Array>) => Promise<UploadedFile>

/** Stores files as an upload does. The store is checked before the first one. */
export function fileUploads(
  database: Database,
  configured: FileStore | undefined,
  projectId: number,
): UploadFile {
  const media = openMediaStore(database, configured)
  return async (chunks) => {
    const store = await media.require()
    return withTemporaryFile(store.incoming, async (path, handle) => {
      const file = await writeChunks(handle, chunks, assetLimits.bytes)
      const inspected = await inspectFile(path)
      const { asset } = await storeAsset(database, store, projectId, { path, ...file, ...inspected })
      return asset
    })
  }
}

/** Checks files as an upload does, and stores none. */
export const inspectOnly: UploadFile = (chunks) =>
  withTemporaryFile(tmpdir(), async (path, handle) => {
    const { sha256: hash } = await writeChunks(handle, chunks, assetLimits.bytes)
    const { kind } = await inspectFile(path)
    return { hash, kind }
  })
