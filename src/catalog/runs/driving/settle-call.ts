import { runLimits } from '../../../model/limits/runs.ts'
import type { Transaction, Writable } from '../../../platform/database/database.ts'
import { lockErasure } from '../../proposals/proposal.sql.ts'
import { lockRun, type RunKey, type RunRow, requestStop } from '../run.sql.ts'
import type { Stop } from '../run-states.ts'
import { interrupted, type Outcome } from './read-outcome.ts'
import { listOrphans, settleAmounts, settleRow } from './reservation.sql.ts'

/** Records how a call ended. Changes nothing if the call belongs to another owner by now. Returns how often it was limited in a row. */
export function settleCall(
  database: Writable,
  key: RunKey,
  { place, owner }: { place: number; owner: string },
  outcome: Outcome,
): Promise<number> {
  return database.transaction(
    async (tx) => {
      const run = await lockRun(tx, key)
      return run === undefined ? 0 : settleLocked(tx, key, run, { place, owner }, outcome)
    },
    { project: key.projectId },
  )
}

async function settleLocked(
  tx: Transaction,
  key: RunKey,
  run: RunRow,
  { place, owner }: { place: number; owner: string },
  outcome: Outcome,
): Promise<number> {
  const { settlement, isFailure, isLimited, isOverLimit } = outcome
  // No product is erased between the check that it exists and the commit.
  await lockErasure(tx, key.projectId, false)
  const settled = await settleRow(tx, key, place, owner, settlement)
  if (settled === undefined) return 0
  await settleAmounts(tx, key, run.currency, settled, settlement, { isFailure, isLimited })
  const failures = run.failures_in_row + Number(isFailure)
  const limited = run.limited_in_row + Number(isLimited)
  const stop = stopAfter({
    isOverLimit,
    failures: isFailure ? failures : 0,
    limited: isLimited ? limited : 0,
  })
  if (stop !== undefined) await requestStop(tx, key, stop)
  return limited
}

type Bad = { isOverLimit: boolean; failures: number; limited: number }

function stopAfter({ isOverLimit, failures, limited }: Bad): Stop | undefined {
  if (isOverLimit) return { state: 'paused', reason: 'usage_over_limit' }
  if (failures >= runLimits.failuresInRow) return { state: 'paused', reason: 'failures_in_row' }
  return limited >= runLimits.limitedInRow ? { state: 'paused', reason: 'rate_limited' } : undefined
}

/** Settles the calls that a former owner of the job left, at their worst case. */
export async function settleOrphans(database: Writable, key: RunKey, owner: string): Promise<void> {
  for (const orphan of await listOrphans(database, key, owner)) {
    const outcome = interrupted({ worst: String(orphan.reserved), attempts: orphan.attempts })
    await settleCall(database, key, orphan, {
      ...outcome,
      settlement: { ...outcome.settlement, retryInMilliseconds: 0 },
    })
  }
}
