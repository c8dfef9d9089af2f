import { assetLimits } from '../../model/limits/assets.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import type { AssetFile } from './asset-files.sql.ts'
import { isBeingDecoded } from './thumbnail-job.ts'

/** Locks the asset, so that no product begins to show it. */
export async function lockAsset(
  tx: Transaction,
  projectId: number,
  hash: string,
): Promise<{ state: string } | undefined> {
  const [row] = await tx.query(sql<{ state: string }>`
    select state from assets where project_id = ${projectId} and hash = ${hash} for update`)
  return row
}

const isUsed = sql`exists (
  select from asset_uses as use where use.project_id = asset.project_id and use.hash = asset.hash)`

/** Whether a product shows the asset or has shown it. */
export async function hasUses(tx: Transaction, projectId: number, hash: string): Promise<boolean> {
  const [row] = await tx.query(sql<{ used: boolean }>`
    select ${isUsed} as used from assets as asset where project_id = ${projectId} and hash = ${hash}`)
  return row?.used === true
}

/** The hashes of assets that open proposals name. */
export async function listProposedHashes(database: Queryable, projectId: number): Promise<Set<string>> {
  const rows = await database.query(sql<{ hash: string }>`
    select distinct named.hash[1] as hash
    from proposals as proposal
    join proposal_lines as line on line.project_id = proposal.project_id and line.proposal_id = proposal.id
    cross join regexp_matches(line.patch ->> 'media', '[0-9a-f]{64}', 'g') as named (hash)
    where proposal.project_id = ${projectId} and proposal.state in ('preparing', 'open', 'applying')
      and line.state in ('open', 'conflict') and line.patch ? 'media'`)
  return new Set(rows.map(({ hash }) => hash))
}

/** Deletes an asset. Its file is removed after the pause. */
export async function deleteAssetRow(
  tx: Transaction,
  projectId: number,
  hash: string,
  pauseSeconds: number,
): Promise<void> {
  await tx.query(
    withRemoval(
      sql`delete from assets where project_id = ${projectId} and hash = ${hash} returning project_id, hash, file, bytes`,
      pauseSeconds,
    ),
  )
}

/** Keeps the asset without its file. */
export async function eraseAssetRow(tx: Transaction, projectId: number, hash: string): Promise<void> {
  await tx.query(
    withRemoval(
      sql`update assets set state = 'erased' where project_id = ${projectId} and hash = ${hash} and state <> 'erased'
          returning project_id, hash, file, bytes`,
      0,
    ),
  )
}

/** Releases the bytes of assets, and makes their files due for removal. */
function withRemoval(gone: Sql, pauseSeconds: number): Sql {
  return sql`
    with gone as (${gone}), released as (
      update asset_storage as storage set bytes = storage.bytes - gone.bytes
      from gone where storage.project_id = gone.project_id
    )
    insert into asset_files (project_id, hash, file, bytes, is_removed, due_at)
    select project_id, hash, file, 0, true, clock_timestamp() + ${pauseSeconds}::float8 * interval '1 second' from gone`
}

/** Marks uploads that a stopped process left for removal, and releases their bytes. */
export async function giveUpOverdueFiles(database: Queryable): Promise<void> {
  await database.query(sql`
    with given_up as (
      update asset_files set is_removed = true where not is_removed and due_at <= clock_timestamp()
      returning project_id, bytes
    )
    update asset_storage as storage set bytes = storage.bytes - overdue.bytes
    from (select project_id, sum(bytes) as bytes from given_up group by project_id) as overdue
    where storage.project_id = overdue.project_id`)
}

/** Files to remove now. Excludes files that belong to an asset, and files whose thumbnails may still be written. */
export function listDueFiles(database: Queryable): Promise<AssetFile[]> {
  return database.query(sql<AssetFile>`
    select project_id as "projectId", hash, file from asset_files as file
    where is_removed and due_at <= clock_timestamp() and not ${isBeingDecoded} and not exists (
      select from assets as asset
      where asset.project_id = file.project_id and asset.hash = file.hash and asset.file = file.file and state <> 'erased')
    order by due_at limit ${assetLimits.removedFiles}`)
}

/** Keeps the row if thumbnails may still be written, so that they are removed later. */
export async function deleteFileRow(
  database: Queryable,
  { projectId, hash, file }: AssetFile,
): Promise<void> {
  await database.query(sql`
    delete from asset_files as file
    where project_id = ${projectId} and hash = ${hash} and file.file = ${file} and is_removed and not ${isBeingDecoded}`)
}

export type VisitedAsset = { projectId: number; hash: string; unused: boolean }

/** The next assets in the order of their keys, whether unused or not. */
export function listAssetsAfter(
  database: Queryable,
  { projectId, hash }: { projectId: number; hash: string },
): Promise<VisitedAsset[]> {
  return database.query(sql<VisitedAsset>`
    select project_id as "projectId", hash,
           state <> 'erased' and ${isOldUpload} and not ${isUsed} as unused
    from assets as asset where (project_id, hash) > (${projectId}, ${hash})
    order by project_id, hash limit ${assetLimits.visitedAssets}`)
}

const isOldUpload = sql`asset.uploaded_at <= now() - ${assetLimits.unusedSeconds} * interval '1 second'`

/** Whether an asset is still unused, a long time after its last upload. */
export async function isStillUnused(tx: Transaction, projectId: number, hash: string): Promise<boolean> {
  const [row] = await tx.query(sql<{ unused: boolean }>`
    select ${isOldUpload} and not ${isUsed} as unused from assets as asset
    where project_id = ${projectId} and hash = ${hash}`)
  return row?.unused === true
}
