import { resetThumbnails } from '../../catalog/assets/thumbnail-job.ts'
import { findKnownStore } from '../../catalog/media-store/media-store.sql.ts'
import { readMarker, writeMarker } from '../../catalog/media-store/media-store.ts'
import { originalFile } from '../../model/assets/asset-urls.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { withTemporaryFile, writeChunks } from '../../platform/http/body/receive-file.ts'
import type { SavedFile } from './media-section.ts'
import type { Backup } from './open-backup.ts'

/**
 * Writes the files of a backup to the store, before the rows are committed. A file that is already there is written again: every file
 * has its own name, so nothing else changes. Only originals are saved, so the thumbnails are made again.
 */
export async function restoreMedia(
  database: Queryable,
  backup: Backup,
  store: FileStore,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const known = await findKnownStore(database)
  if (known === undefined || backup.manifest.media?.included === undefined) return
  const marker = await readMarker(store)
  if (marker !== undefined && marker !== known.id)
    throw new Error(`${store.description} belongs to another database; use an empty store`)
  let written = 0
  for await (const file of backup.mediaFiles()) {
    await restoreFile(store, file)
    written += file.bytes
    onProgress(written)
  }
  if (marker === undefined) await writeMarker(store, known.id)
  await resetThumbnails(database)
}

async function restoreFile(store: FileStore, saved: SavedFile): Promise<void> {
  await withTemporaryFile(store.incoming, async (path, handle) => {
    const { sha256 } = await writeChunks(handle, saved.open(), saved.bytes)
    if (sha256 !== saved.hash) throw new Error(`the file ${saved.hash} in the backup is damaged`)
    await store.put(originalFile(saved.project_id, saved.hash, saved.file), { file: path, sha256 })
  })
}
