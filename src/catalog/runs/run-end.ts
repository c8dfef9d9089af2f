import type { Transaction } from '../../platform/database/database.ts'
import { isRetryable } from '../../platform/database/failures.ts'
import type { JobEnd } from '../../platform/jobs/job.ts'
import { enterState } from './enter-state.ts'
import { proposeResponses } from './propose-responses.ts'
import { lockRun, type RunKey, type RunRow, requireRun, updateRunState } from './run.sql.ts'
import { abandonCalls, countRemaining } from './run-call.sql.ts'
import { runOf } from './run-job.ts'
import { isActive, stateAfterContinue } from './run-states.ts'

/** A run whose job runs out of attempts proposes its responses and fails. A retry continues it. */
export const runEnd: JobEnd = {
  async giveUp(tx, job) {
    const key = runOf(job)
    const before = await lockRun(tx, key)
    if (before === undefined || !isActive(before.state)) return
    await abandonCalls(tx, key, before.currency)
    const run = await requireRun(tx, key)
    const proposalId = await tryProposing(tx, key, run)
    await enterState(tx, key, run, { state: 'failed', reason: 'unexpected_error' }, proposalId)
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

/** The proposal may be what fails. The run fails nevertheless, and proposes its responses after a retry. */
async function tryProposing(tx: Transaction, key: RunKey, run: RunRow): Promise<number | undefined> {
  await tx.script('savepoint before_proposal')
  try {
    return await proposeResponses(tx, key, run)
  } catch (error) {
    if (isRetryable(error)) throw error
    await tx.script('rollback to savepoint before_proposal')
    return undefined
  }
}
