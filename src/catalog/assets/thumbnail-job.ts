import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { JobEnd } from '../../platform/jobs/job.ts'

/** The job that makes the thumbnails of an image. Its key is the hash. */
export const thumbnailKind = 'media.thumbnail'

export const thumbnailEnd: JobEnd = {
  giveUp: (tx, { projectId, key }) => setFailed(tx, projectId, key),
  async revive(tx, { projectId, key: hash }) {
    await tx.query(sql`
      update assets set state = 'processing' where project_id = ${projectId} and hash = ${hash} and state = 'failed'`)
  },
}

/**
 * Records that the thumbnails of a file exist. False if the asset was deleted, or now has another file. If another process has already
 * made the same thumbnails, they stay.
 */
export async function setReady(
  database: Queryable,
  { projectId, hash, file }: { projectId: number; hash: string; file: string },
  { width, height }: { width: number; height: number },
): Promise<boolean> {
  const rows = await database.query(sql`
    update assets set state = 'ready', width = ${width}, height = ${height}
    where project_id = ${projectId} and hash = ${hash} and file = ${file} and state <> 'erased' returning 1`)
  return rows.length > 0
}

export async function setFailed(database: Queryable, projectId: number, hash: string): Promise<void> {
  await database.query(sql`
    update assets set state = 'failed' where project_id = ${projectId} and hash = ${hash} and state = 'processing'`)
}

/** Whether a process may be writing thumbnails. `file` must be the alias of a row in `asset_files`. */
export const isBeingDecoded = sql`exists (
  select from jobs as job where job.project_id = file.project_id and job.kind = ${thumbnailKind} and job.key = file.hash
    and job.failed_at is null)`

/** After originals were restored without their thumbnails. */
export async function resetThumbnails(database: Queryable): Promise<void> {
  await database.query(sql`update assets set state = 'processing' where kind = 'image' and state <> 'erased'`)
}

/** Requests jobs that are missing, because the database was restored from a backup. */
export async function requestMissingThumbnails(database: Queryable): Promise<void> {
  await database.query(sql`
    insert into jobs (project_id, kind, key)
    select project_id, ${thumbnailKind}, hash from assets where state = 'processing' limit 1000
    on conflict do nothing`)
}
