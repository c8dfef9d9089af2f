import { imageSizes, originalFile, sizeFile } from '../../model/assets/asset-urls.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { walkInBatches } from '../../platform/scheduling/walk-in-batches.ts'
import { findRemovalBlock, type MediaStore } from '../media-store/media-store.ts'
import type { AssetFile } from './asset-files.sql.ts'
import { deleteFileRow, giveUpOverdueFiles, listDueFiles } from './remove-assets.sql.ts'

/** Removes the files of interrupted uploads and of removed assets. Only files in the table are removed, so none that an asset names. */
export async function removeDueFiles(
  database: Queryable,
  media: MediaStore,
  signal: AbortSignal,
): Promise<void> {
  await giveUpOverdueFiles(database)
  if ((await findRemovalBlock(database)) !== undefined) return
  await walkInBatches({ signal }, async () => {
    const due = await listDueFiles(database)
    if (due.length === 0) return true
    const store = await media.require()
    for (const file of due) await removeFile(database, store, file)
    return undefined
  })
}

/** The row goes last: if this is interrupted, the file is removed again. */
export async function removeFile(database: Queryable, store: FileStore, own: AssetFile): Promise<void> {
  const { projectId, hash, file } = own
  await store.remove(originalFile(projectId, hash, file))
  await removeSizes(store, own)
  await deleteFileRow(database, own)
}

export async function removeSizes(store: FileStore, { projectId, hash, file }: AssetFile): Promise<void> {
  for (const size of imageSizes) await store.remove(sizeFile(projectId, hash, file, size))
}
