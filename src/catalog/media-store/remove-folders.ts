import { assetLimits } from '../../model/limits/assets.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { JobEnd, JobKind } from '../../platform/jobs/job.ts'
import { findRemovalBlock, type MediaStore } from './media-store.ts'

/** The job that removes the files of a deleted project. Its key is the project ID, and a database trigger requests it. */
export const folderKind = 'media.folder'

export const folderEnd: JobEnd = { whyKept: 'the files of a deleted project would stay in the store' }

export function folderJobs(database: Queryable, media: MediaStore): JobKind {
  return {
    name: folderKind,
    maxConcurrent: 1,
    maxPerProject: 1,
    reserved: 0,
    maxAttempts: Number.POSITIVE_INFINITY,
    maxPauseSeconds: assetLimits.folderPauseSeconds,
    async run({ key }) {
      if ((await findRemovalBlock(database)) !== undefined)
        return { againInMilliseconds: assetLimits.folderPauseSeconds * 1000 }
      // A restored database may have the project.
      if (await hasProject(database, Number(key))) return 'done'
      const store = await media.require()
      await store.removeFolder(key)
      return 'done'
    },
  }
}

async function hasProject(database: Queryable, id: number): Promise<boolean> {
  const rows = await database.query(sql`select from projects where id = ${id}`)
  return rows.length > 0
}
