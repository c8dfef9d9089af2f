import { runLimits } from '../../../model/limits/runs.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { lockErasure } from '../../proposals/proposal.sql.ts'
import { lockRun, type RunKey, type RunRow, requestStop, setReason } from '../run.sql.ts'
import { countRemaining } from '../run-call.sql.ts'
import { isActive } from '../run-states.ts'
import { affordableCalls, roomOf, smallerLimit } from './affordable-calls.ts'
import { endWithoutCall, findEarlierCalls } from './candidates.sql.ts'
import type { PreparedCall, PreparedCalls } from './prepare-calls.ts'
import { countRequests, freeSlots, lockSlots } from './provider-slots.sql.ts'
import { lockSpending, reserveCalls } from './reservation.sql.ts'
import type { RunContext } from './run-context.ts'

/** A call that this owner has reserved. */
export type TakenCall = PreparedCall & { context: RunContext; attempts: number }

export type Waiting =
  | { next: 'wait'; milliseconds: number }
  /** No call can start: the run stops when those in progress have ended. */
  | { next: 'stop' }
type Taken = Waiting | { next: 'calls'; calls: TakenCall[] }

export const stop: Waiting = { next: 'stop' }
export const busy: Waiting = { next: 'wait', milliseconds: runLimits.busyMilliseconds }
const again: Taken = { next: 'calls', calls: [] }

/** The calls whose input no other run has sent since they were prepared. Runs of a provider claim one after another. */
async function withoutEarlier(
  tx: Transaction,
  projectId: number,
  { reuse }: RunRow,
  calls: PreparedCall[],
): Promise<PreparedCall[]> {
  if (!reuse || calls.length === 0) return calls
  const hashes = calls.map(({ input_hash }) => input_hash)
  const earlier = new Set((await findEarlierCalls(tx, projectId, hashes)).map((call) => call.input_hash))
  return calls.filter(({ input_hash }) => !earlier.has(input_hash))
}

/** Locks the provider, the run and the month, in this order. */
export async function takeCalls(
  tx: Transaction,
  key: RunKey,
  owner: string,
  context: RunContext,
  { ended, calls, hasDeferred }: PreparedCalls,
): Promise<Taken> {
  const { provider } = context
  const slots = await lockSlots(tx, key.projectId, provider.name)
  const run = await lockRun(tx, key)
  if (run === undefined || slots === undefined || !isActive(run.state) || run.stop_state !== null) return stop
  // No product is erased between the check that it exists and the commit.
  await lockErasure(tx, key.projectId, false)
  await endWithoutCall(tx, key, ended)
  const { free, againInMilliseconds } = freeSlots(slots, provider)
  const possible = await withoutEarlier(tx, key.projectId, run, calls.slice(0, free))
  if (possible.length === 0) {
    if (ended.length > 0 || Math.min(calls.length, free) > 0) return again
    if (hasDeferred && slots.paused_for === 0) return busy
    if (againInMilliseconds > runLimits.busyMilliseconds)
      await setReason(tx, key, 'rate_limited', againInMilliseconds)
    return { next: 'wait', milliseconds: againInMilliseconds }
  }
  const spending = await lockSpending(tx, key.projectId, run.currency)
  const { calling } = await countRemaining(tx, key.projectId, run)
  const afford = affordableCalls(
    possible.map(({ worst }) => BigInt(worst)),
    roomOf(run.budget === null ? null : BigInt(run.budget), run),
    roomOf(smallerLimit(provider.monthly_budget, provider.cap), spending),
    calling > 0,
  )
  if ('wait' in afford) return busy
  if ('stop' in afford) {
    await requestStop(tx, key, { state: 'stopped_at_budget', reason: afford.stop })
    return stop
  }
  const wanted = possible.slice(0, afford.take)
  const reserved = wanted.map(({ place, worst, input_hash, base }) => ({ place, worst, input_hash, base }))
  const reserving = { owner, currency: run.currency, month: spending.month }
  const taken = new Map(
    (await reserveCalls(tx, key, reserving, reserved)).map(({ place, attempts }) => [place, attempts]),
  )
  const recoversTo = slots.is_recovering && slots.allowed !== null ? slots.allowed + 1 : undefined
  await countRequests(tx, key.projectId, provider.name, { requests: taken.size, recoversTo })
  return {
    next: 'calls',
    calls: wanted.flatMap((call) => {
      const attempts = taken.get(call.place)
      return attempts === undefined ? [] : [{ ...call, context, attempts }]
    }),
  }
}
