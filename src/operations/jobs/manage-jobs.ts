import { type Actor, insertAuditEntry } from '../../access/audit/audit.sql.ts'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import { deleteJob } from '../../platform/jobs/job.sql.ts'
import type { JobKey } from '../../platform/jobs/job.ts'
import { type ListedJob, lockJob, makeJobDue } from '../../platform/jobs/job-list.sql.ts'
import { jobEnds } from './job-ends.ts'

/** Runs a failed or waiting job now, with all of its attempts. The object of a failed job continues where it stopped. */
export function retryJob(database: Writable, actor: Actor, id: number): Promise<ListedJob> {
  return database.transaction(async (tx) => {
    const job = await requireJob(tx, id)
    if (job.state === 'running') throw new Error(`job ${id} is already running`)
    if (job.state === 'failed') await jobEnds[job.kind]?.revive?.(tx, keyOf(job), actor.name)
    await makeJobDue(tx, id)
    await recordAction(tx, actor, 'job.retry', job)
    return requireJob(tx, id)
  })
}

/** Ends a job in any state. A process that runs it loses its lease, and stops within seconds. */
export function cancelJob(database: Writable, actor: Actor, id: number): Promise<ListedJob> {
  return database.transaction(async (tx) => {
    const job = await requireJob(tx, id)
    const { whyKept, cancel, giveUp } = jobEnds[job.kind] ?? {}
    if (whyKept !== undefined) throw new Error(`cannot cancel job ${id}: ${whyKept}`)
    if (cancel !== undefined) await cancel(tx, keyOf(job), actor.name)
    else await giveUp?.(tx, keyOf(job), 'Canceled by an operator.')
    await deleteJob(tx, keyOf(job))
    await recordAction(tx, actor, 'job.cancel', job)
    return job
  })
}

async function requireJob(tx: Transaction, id: number): Promise<ListedJob> {
  const job = await lockJob(tx, id)
  if (job === undefined)
    throw new Error(`there is no job ${id}; it may have finished. Run "catalog jobs list" to see all jobs`)
  return job
}

function keyOf({ project_id, kind, key }: ListedJob): JobKey {
  return { projectId: project_id ?? 0, kind, key }
}

function recordAction(tx: Transaction, actor: Actor, action: string, job: ListedJob): Promise<void> {
  const { id, project_id, kind, key, state, attempts } = job
  return insertAuditEntry(tx, actor, {
    action,
    ...(project_id !== null && { projectId: project_id }),
    target: `job ${id}`,
    details: { kind, ...(key !== '' && { key }), state, attempts },
  })
}
