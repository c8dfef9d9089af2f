import type { Writable } from '../../platform/database/database.ts'
import { deleteOldest, listProjectsToExpire, markSkipped } from './expire-events.sql.ts'

/** Deletes events that are older than the retention, some at a time, whatever project they are of. */
export async function expireEvents(
  database: Writable,
  retentionSeconds: number,
  signal: AbortSignal,
): Promise<void> {
  for (let after = 0; !signal.aborted; ) {
    const projects = await listProjectsToExpire(database, after, retentionSeconds)
    const last = projects.at(-1)
    if (last === undefined) return
    for (const project of projects)
      while (!signal.aborted && (await expireSome(database, project, retentionSeconds))) {
        // The next ones.
      }
    after = last
  }
}

/** Returns whether there was anything to delete. */
function expireSome(database: Writable, projectId: number, retentionSeconds: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    const deleted = await deleteOldest(tx, projectId, retentionSeconds)
    if (deleted === undefined) return false
    await markSkipped(tx, projectId, deleted.last, deleted.keptFrom)
    return true
  })
}
