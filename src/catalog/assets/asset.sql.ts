import type { AssetKind } from '../../model/assets/asset-types.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql, write } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import type { Storage } from './asset.schema.ts'

export type AssetRow = {
  hash: string
  kind: AssetKind
  mime: string
  bytes: number
  width: number | null
  height: number | null
  state: 'processing' | 'ready' | 'failed' | 'erased'
  file: string
  created_at: string
  media_key: string
}

/** From `assetsWithKey`. */
export const assetColumns = sql`asset.hash, asset.kind, asset.mime, asset.bytes, asset.width, asset.height, asset.state, asset.file,
  asset.created_at, project.media_key`
export const assetsWithKey = sql`assets as asset join projects as project on project.id = asset.project_id`

export async function findAsset(
  database: Queryable,
  projectId: number,
  hash: string,
): Promise<AssetRow | undefined> {
  const [row] = await database.query(sql<AssetRow>`
    select ${assetColumns} from ${assetsWithKey} where asset.project_id = ${projectId} and asset.hash = ${hash}`)
  return row
}

/** Newest first. */
export function listAssets(
  database: Queryable,
  projectId: number,
  { kind, unused }: { kind?: AssetKind; unused?: boolean },
  page: PageRequest,
): Promise<Page<AssetRow>> {
  const isUsed = sql`exists (
    select from asset_uses as use where use.project_id = asset.project_id and use.hash = asset.hash)`
  return selectPage(database, {
    columns: assetColumns,
    from: assetsWithKey,
    where: sql`asset.project_id = ${projectId} and asset.state <> 'erased'
      ${kind === undefined ? sql`` : sql`and asset.kind = ${kind}`}
      ${unused === undefined ? sql`` : sql`and ${isUsed} <> ${unused}`}`,
    orderBy: sql`asset.created_at desc, asset.hash desc`,
    page,
  })
}

/** The bytes of all files and of uploads in progress, and the quota of the plan. */
export async function readStorage(database: Queryable, projectId: number): Promise<Storage> {
  const [row] = await database.query(sql<Storage>`
    select coalesce(storage.bytes, 0) as used_bytes, plan.storage_bytes as quota_bytes
    from projects as project join plans as plan on plan.code = project.plan
    left join asset_storage as storage on storage.project_id = project.id
    where project.id = ${projectId}`)
  return row as Storage
}

/** The asset with these bytes, if the project has it. The sweep then counts from this upload. */
export async function renewAsset(
  database: Queryable,
  projectId: number,
  hash: string,
): Promise<AssetRow | undefined> {
  const [row] = await database.query(
    write(
      sql<AssetRow>`
    update assets as asset set uploaded_at = now() from projects as project
    where asset.project_id = ${projectId} and asset.hash = ${hash} and project.id = asset.project_id
    returning ${assetColumns}`,
      projectId,
    ),
  )
  return row
}

export type NewAsset = Omit<AssetRow, 'created_at' | 'media_key'>

/** False if the project has an asset with these bytes. */
export async function insertAsset(tx: Transaction, projectId: number, asset: NewAsset): Promise<boolean> {
  const { hash, kind, mime, bytes, width, height, state, file } = asset
  const rows = await tx.query(sql`
    insert into assets (project_id, hash, kind, mime, bytes, width, height, state, file)
    values (${projectId}, ${hash}, ${kind}, ${mime}, ${bytes}, ${width}, ${height}, ${state}, ${file})
    on conflict do nothing returning 1`)
  return rows.length > 0
}
