import { runLimits } from '../../../model/limits/runs.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { findRun, lockRun, type RunKey, requestStop } from '../run.sql.ts'
import { isActive, type Stop } from '../run-states.ts'
import { findNextAttempt, listCandidates } from './candidates.sql.ts'
import { prepareCalls } from './prepare-calls.ts'
import { type DriveTools, readContext } from './run-context.ts'
import { busy, stop, type TakenCall, takeCalls, type Waiting } from './take-calls.ts'

/** A call that this owner holds, with a slot of this process. */
export type ClaimedCall = TakenCall & { leave: () => void }

export type Claim =
  | Waiting
  | { next: 'calls'; calls: ClaimedCall[] }
  /** The run makes no calls. */
  | { next: 'end' }

/** Claims the next calls of a run, and reserves what they can cost. No call starts before the claim is committed. */
export async function claimCalls(
  tools: DriveTools,
  key: RunKey,
  owner: string,
  inProgress: number,
): Promise<Claim> {
  const { jobs } = tools.database
  const run = await findRun(jobs, key)
  if (run === undefined || !isActive(run.state)) return { next: 'end' }
  if (run.stop_state !== null) return stop
  const context = await readContext(tools, key.projectId, run)
  if ('reason' in context) return requestPause(tools, key, { state: 'paused', reason: context.reason })
  const lastPlace = run.state === 'sampling' ? run.sample : null
  const slots = takeSlots(tools, key.projectId, context.provider.concurrency - inProgress)
  try {
    if (slots.length === 0) return busy
    const limit = Math.min(runLimits.claimedCalls, 2 * slots.length)
    const candidates = await listCandidates(jobs, key, lastPlace, limit)
    if (candidates.length === 0) {
      const milliseconds = await findNextAttempt(jobs, key, lastPlace)
      return milliseconds === undefined ? stop : { next: 'wait', milliseconds: milliseconds + 1 }
    }
    const prepared = await prepareCalls(jobs, context, candidates, slots.length)
    const take = (tx: Transaction) => takeCalls(tx, key, owner, context, prepared)
    const taken = await jobs.transaction(take, { project: key.projectId })
    if (taken.next !== 'calls') return taken
    return {
      next: 'calls',
      calls: taken.calls.map((call) => ({ ...call, leave: slots.pop() as () => void })),
    }
  } finally {
    for (const leave of slots) leave()
  }
}

/** As many slots of this process as are free, up to a number. */
function takeSlots({ slots }: DriveTools, projectId: number, most: number): (() => void)[] {
  const taken: (() => void)[] = []
  for (let leave: (() => void) | undefined; taken.length < most; taken.push(leave)) {
    leave = slots.tryEnter(projectId)
    if (leave === undefined) break
  }
  return taken
}

async function requestPause({ database }: DriveTools, key: RunKey, reason: Stop): Promise<Claim> {
  await database.jobs.transaction(async (tx) => {
    await lockRun(tx, key)
    await requestStop(tx, key, reason)
  })
  return stop
}
