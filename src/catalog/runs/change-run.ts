import type { ChangeAuthor } from '../../model/events/record-events.sql.ts'
import { countDecimals } from '../../model/product/exact-decimals.ts'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import { type BodyError, notFound, Problem } from '../../platform/http/problems.ts'
import { toMillionths } from '../ai-providers/amounts.ts'
import {
  lockRun,
  type RunKey,
  type RunRow,
  requestStop,
  requireRun,
  setBudget,
  showRun,
  updateRunState,
  withdrawStop,
} from './run.sql.ts'
import { countRemaining } from './run-call.sql.ts'
import { budgetText, recordRunAction, recordStop } from './run-events.ts'
import { requestRun } from './run-job.ts'
import { isActive, isAllowed, type RunAction, type RunReason, stateAfterContinue } from './run-states.ts'

type Changing = RunKey & { author: ChangeAuthor }

export type RunChange = { action: Exclude<RunAction, 'raise'> } | { action: 'raise'; amount: number }

/** Continues, pauses or cancels a run, or raises its budget. */
export function changeRun(
  database: Writable,
  { author, ...key }: Changing,
  change: RunChange,
): Promise<RunRow> {
  const budget = change.action === 'raise' ? readBudget(change.amount, '/amount') : undefined
  return database.transaction(async (tx) => {
    const run = await lockRun(tx, key)
    if (run === undefined) throw notFound('run', key.id)
    if (!isAllowed(change.action, run.state)) throw wrongState(run, change.action)
    if (budget !== undefined) await raiseBudget(tx, key, run, budget)
    else if (change.action === 'continue') await continueRun(tx, key, run)
    else await stopRun(tx, key, run, change.action === 'cancel' ? 'cancelled' : 'paused')
    const after = await requireRun(tx, key)
    await recordStop(tx, key.projectId, author, { before: run, after })
    const changed = { before: budgetText(showRun(run).cost), after: budgetText(showRun(after).cost) }
    const details = change.action === 'raise' ? { budget: changed } : {}
    await recordRunAction(tx, key.projectId, author, change.action, run, details)
    return after
  })
}

function wrongState({ id, state }: RunRow, action: RunAction): Problem {
  return new Problem('run_state', {
    detail: `Run ${id} is ${state}, so the action "${action}" is not possible.`,
  })
}

/**
 * An active run stops when its calls have ended. The others have proposed all of their responses, except those that a restore
 * paused: they stop like active ones, and make no call.
 */
async function stopRun(
  tx: Transaction,
  key: RunKey,
  run: RunRow,
  state: 'cancelled' | 'paused',
): Promise<void> {
  const stop = { state, reason: 'by_user' } as const
  if (!isActive(run.state)) {
    if (run.reason !== 'restored') return updateRunState(tx, key, stop)
    await continueRun(tx, key, run)
  }
  await requestStop(tx, key, stop)
  await requestRun(tx, key)
}

async function continueRun(tx: Transaction, key: RunKey, run: RunRow): Promise<void> {
  const { waitingInSample } = await countRemaining(tx, key.projectId, run)
  const state = stateAfterContinue(run.state, run.sample > 0 ? waitingInSample : 0)
  await updateRunState(tx, key, { state, reason: null })
  await requestRun(tx, key)
}

/** A run that stopped or is about to stop at its own budget continues, because a higher budget has no other purpose. */
async function raiseBudget(tx: Transaction, key: RunKey, run: RunRow, budget: bigint): Promise<void> {
  if (budget <= BigInt(run.budget ?? 0))
    throw new Problem('invalid_body', {
      errors: [invalidAmount('/amount', 'must be more than the current budget')],
    })
  await setBudget(tx, key, budget)
  const needsBudget: (RunReason | null)[] = ['run_budget', 'budget_required']
  if (!needsBudget.includes(run.stop_reason ?? run.reason)) return
  if (isActive(run.state)) await withdrawStop(tx, key)
  else await continueRun(tx, key, run)
}

/** An amount in millionths. */
export function readBudget(amount: number, pointer: string): bigint {
  if (countDecimals(amount) > 6)
    throw new Problem('invalid_body', {
      errors: [invalidAmount(pointer, 'must have at most 6 decimals', 'too_many_decimals')],
    })
  return toMillionths(amount)
}

function invalidAmount(pointer: string, message: string, code = 'too_small'): BodyError {
  return { pointer, code, message }
}
