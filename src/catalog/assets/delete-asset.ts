import { type Actor, insertAuditEntry } from '../../access/audit/audit.sql.ts'
import { assetId } from '../../model/assets/asset-id.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { notFound, Problem } from '../../platform/http/problems.ts'
import { findRemovalBlock, type MediaStore } from '../media-store/media-store.ts'
import { findAsset } from './asset.sql.ts'
import { deleteAssetRow, eraseAssetRow, hasUses, listProposedHashes, lockAsset } from './remove-assets.sql.ts'
import { removeFile } from './remove-files.ts'

/** Deletes an asset that nothing names. The sweep removes its file. */
export async function deleteAsset(database: Database, projectId: number, hash: string): Promise<void> {
  // Before the lock, because it reads all open proposals.
  const proposed = await listProposedHashes(database, projectId)
  await database.transaction(
    async (tx) => {
      await requireLocked(tx, projectId, hash)
      if (proposed.has(hash) || (await hasUses(tx, projectId, hash))) throw new Problem('asset_in_use')
      await deleteAssetRow(tx, projectId, hash, 0)
    },
    { project: projectId },
  )
}

/** Removes the bytes of an asset that may be in use. Its URLs return 410 from then on. */
export async function eraseAsset(
  database: Database,
  media: MediaStore,
  actor: Actor,
  projectId: number,
  hash: string,
): Promise<void> {
  await database.transaction(
    async (tx) => {
      await requireLocked(tx, projectId, hash)
      await eraseAssetRow(tx, projectId, hash)
      await insertAuditEntry(tx, actor, {
        action: 'asset.erase',
        projectId,
        target: `asset ${assetId(hash)}`,
        details: {},
      })
    },
    { project: projectId },
  )
  // The erasure is recorded and the file is no longer served. If this fails, the sweep removes the file.
  await removeNow(database, media, projectId, hash).catch(() => {})
}

async function removeNow(
  database: Database,
  media: MediaStore,
  projectId: number,
  hash: string,
): Promise<void> {
  const asset = await findAsset(database, projectId, hash)
  if (asset === undefined || (await findRemovalBlock(database)) !== undefined) return
  const store = await media.require()
  await removeFile(database.background, store, { projectId, hash, file: asset.file })
}

async function requireLocked(tx: Transaction, projectId: number, hash: string): Promise<void> {
  const asset = await lockAsset(tx, projectId, hash)
  if (asset === undefined) throw notFound('asset', assetId(hash))
  if (asset.state === 'erased') throw new Problem('asset_erased')
}
