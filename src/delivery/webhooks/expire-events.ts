import type { Writable } from '../../platform/database/database.ts'
import { walkInBatches } from '../../platform/scheduling/walk-in-batches.ts'
import { deleteOldest, listProjectsToExpire, markSkipped } from './expire-events.sql.ts'

/** Deletes events that are older than the retention, in batches, for all projects. */
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
      await walkInBatches({ signal }, () => expireBatch(database, project, retentionSeconds))
    after = last
  }
}

/** Returns true if there was nothing to delete. */
function expireBatch(
  database: Writable,
  projectId: number,
  retentionSeconds: number,
): Promise<true | undefined> {
  return database.transaction(async (tx) => {
    const deleted = await deleteOldest(tx, projectId, retentionSeconds)
    if (deleted === undefined) return true
    await markSkipped(tx, projectId, deleted.last, deleted.keptFrom)
    return undefined
  })
}
