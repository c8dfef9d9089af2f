import { assetLimits } from '../../model/limits/assets.ts'
import type { Writable } from '../../platform/database/database.ts'
import { walkInBatches } from '../../platform/scheduling/walk-in-batches.ts'
import {
  deleteAssetRow,
  isStillUnused,
  listAssetsAfter,
  listProposedHashes,
  lockAsset,
} from './remove-assets.sql.ts'

/**
 * Deletes assets that nothing has named since they were uploaded a long time ago. Their files stay for the same time again, so that
 * every younger backup finds them.
 */
export async function sweepAssets(database: Writable, signal: AbortSignal): Promise<void> {
  let last = { projectId: 0, hash: '' }
  await walkInBatches({ signal }, async () => {
    const visited = await listAssetsAfter(database, last)
    const unused = Map.groupBy(
      visited.filter((asset) => asset.unused),
      ({ projectId }) => projectId,
    )
    for (const [projectId, assets] of unused)
      await deleteUnused(
        database,
        projectId,
        assets.map(({ hash }) => hash),
      )
    last = visited.at(-1) ?? last
    return visited.length === 0 || undefined
  })
}

async function deleteUnused(database: Writable, projectId: number, hashes: string[]): Promise<void> {
  const proposed = await listProposedHashes(database, projectId)
  for (const hash of hashes.filter((one) => !proposed.has(one)))
    await database.transaction(async (tx) => {
      await lockAsset(tx, projectId, hash)
      if (await isStillUnused(tx, projectId, hash))
        await deleteAssetRow(tx, projectId, hash, assetLimits.unusedSeconds)
    })
}
