import { runLimits } from '../../../model/limits/runs.ts'
import { bulkLimits, type Transaction } from '../../../platform/database/database.ts'
import { Problem } from '../../../platform/http/problems.ts'
import type { JobResult } from '../../../platform/jobs/job.ts'
import { enterState } from '../enter-state.ts'
import { proposeResponses } from '../propose-responses.ts'
import { lockRun, type RunKey, setReason } from '../run.sql.ts'
import { countRemaining } from '../run-call.sql.ts'
import { isActive, stopOf } from '../run-states.ts'
import type { DriveTools } from './run-context.ts'

/** Proposes the responses of a run and changes its state, atomically. If there is no room for the proposal, the run tries again. */
export async function finishRun({ database }: DriveTools, key: RunKey): Promise<JobResult> {
  try {
    const isStopped = await database.transaction((tx) => finish(tx, key), {
      ...bulkLimits,
      project: key.projectId,
    })
    return isStopped ? 'done' : { againInMilliseconds: 0 }
  } catch (error) {
    if (!(error instanceof Problem) || error.problemCode !== 'too_many_proposals') throw error
    const pause = runLimits.proposalPauseMilliseconds
    await setReason(database.jobs, key, 'too_many_proposals', pause)
    return { againInMilliseconds: pause }
  }
}

/** Returns false if the run has more to do. */
async function finish(tx: Transaction, key: RunKey): Promise<boolean> {
  const run = await lockRun(tx, key)
  if (run === undefined || !isActive(run.state)) return true
  const { state, sample, stop_state, stop_reason } = run
  const stop = stop_state === null ? null : { state: stop_state, reason: stop_reason }
  const next = stopOf({ state, sample, stop }, await countRemaining(tx, key.projectId, run))
  if (next === undefined) return false
  await enterState(tx, key, run, next, await proposeResponses(tx, key, run))
  return true
}
