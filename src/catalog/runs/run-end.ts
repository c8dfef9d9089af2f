import type { JobEnd } from '../../platform/jobs/job.ts'
import { lockRun, requireRun, updateRunState } from './run.sql.ts'
import { abandonCalls, countRemaining } from './run-call.sql.ts'
import { recordStop } from './run-events.ts'
import { runOf } from './run-job.ts'
import { isActive, stateAfterContinue } from './run-states.ts'

/** A run whose job runs out of attempts fails. A retry continues it. */
export const runEnd: JobEnd = {
  async giveUp(tx, job) {
    const key = runOf(job)
    const before = await lockRun(tx, key)
    if (before === undefined || !isActive(before.state)) return
    await abandonCalls(tx, key, before.currency)
    await updateRunState(tx, key, { state: 'failed', reason: 'unexpected_error' })
    const author = { actor: before.actor, source: 'service' } as const
    await recordStop(tx, key.projectId, author, { before, after: await requireRun(tx, key) })
  },
  async revive(tx, job) {
    const key = runOf(job)
    const run = await lockRun(tx, key)
    if (run?.state !== 'failed') return
    const { waitingInSample } = await countRemaining(tx, key.projectId, run)
    const state = stateAfterContinue(run.state, run.sample > 0 ? waitingInSample : 0)
    await updateRunState(tx, key, { state, reason: null })
  },
  whyKept: 'it belongs to a run; cancel the run with "catalog run cancel"',
}
