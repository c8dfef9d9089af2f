import { assetLimits } from '../../model/limits/assets.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql, write } from '../../platform/database/sql.ts'

/** A file without an asset. */
export type AssetFile = { projectId: number; hash: string; file: string }

/**
 * Announces a file that is about to be written, and reserves its bytes. False if they exceed the quota. The row of the project's
 * storage is locked until the statement ends, so that simultaneous uploads count each other.
 */
export async function reserveFile(
  database: Queryable,
  { projectId, hash, file }: AssetFile,
  bytes: number,
): Promise<boolean> {
  const rows = await database.query(
    write(
      sql`
    with quota as materialized (
      select plan.storage_bytes as most from projects as project join plans as plan on plan.code = project.plan
      where project.id = ${projectId}
    ), reserved as (
      insert into asset_storage as storage (project_id, bytes)
      select ${projectId}, ${bytes}::bigint from quota where ${bytes}::bigint <= coalesce(most, ${bytes}::bigint)
      on conflict (project_id) do update set bytes = storage.bytes + excluded.bytes
      where storage.bytes + excluded.bytes <= coalesce((select most from quota), storage.bytes + excluded.bytes)
      returning 1
    )
    insert into asset_files (project_id, hash, file, bytes, due_at)
    select ${projectId}, ${hash}, ${file}, ${bytes}, clock_timestamp() + ${assetLimits.unfinishedSeconds} * interval '1 second'
    from reserved returning 1`,
      projectId,
    ),
  )
  return rows.length > 0
}

/** The file has become an asset. False if it was given up in the meantime. */
export async function keepFile(tx: Transaction, { projectId, hash, file }: AssetFile): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from asset_files
    where project_id = ${projectId} and hash = ${hash} and file = ${file} and not is_removed returning 1`)
  return rows.length > 0
}

/**
 * Makes the file due for removal, and releases its bytes. From then on it cannot become an asset. If the sweep has already given it
 * up, the upload may have written it later, so it is listed again, unless it did become an asset: the first statement has waited for
 * a commit whose outcome the process does not know.
 */
export async function giveUpFile(tx: Transaction, { projectId, hash, file }: AssetFile): Promise<void> {
  const given = await tx.query(sql`
    with given_up as (
      update asset_files set is_removed = true, due_at = clock_timestamp()
      where project_id = ${projectId} and hash = ${hash} and file = ${file} and not is_removed
      returning project_id, bytes
    ), released as (
      update asset_storage as storage set bytes = storage.bytes - given_up.bytes
      from given_up where storage.project_id = given_up.project_id
    )
    select from given_up`)
  if (given.length > 0) return
  await tx.query(sql`
    insert into asset_files (project_id, hash, file, bytes, is_removed, due_at)
    select ${projectId}, ${hash}, ${file}, 0, true, clock_timestamp()
    where not exists (
      select from assets where project_id = ${projectId} and hash = ${hash} and file = ${file})
    on conflict do nothing`)
}
