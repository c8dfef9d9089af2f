import type { Queryable } from '../../platform/database/database.ts'
import { requestJob } from '../../platform/jobs/job.sql.ts'
import type { JobKey } from '../../platform/jobs/job.ts'
import type { RunKey } from './run.sql.ts'

export const runKind = 'prompt.run'

/** Requests the job that makes the calls of a run. */
export function requestRun(tx: Queryable, { projectId, id }: RunKey): Promise<void> {
  return requestJob(tx, { projectId, kind: runKind, key: String(id) })
}

export function runOf({ projectId, key }: JobKey): RunKey {
  return { projectId, id: Number(key) }
}
