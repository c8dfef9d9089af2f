import { runLimits } from '../../../model/limits/runs.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { findRun, lockRun, type RunKey, requestStop } from '../run.sql.ts'
import { countRemaining } from '../run-call.sql.ts'
import { isActive, type Stop } from '../run-states.ts'
import { affordableCalls, roomOf, smallerLimit } from './affordable-calls.ts'
import { endWithoutCall, findNextAttempt, listCandidates } from './candidates.sql.ts'
import { type PreparedCall, type PreparedCalls, prepareCalls } from './prepare-calls.ts'
import { countRequests, freeSlots, lockSlots } from './provider-slots.sql.ts'
import { lockSpending, reserveCalls } from './reservation.sql.ts'
import { type DriveTools, type RunContext, readContext } from './run-context.ts'

/** A call that this owner holds. */
export type ClaimedCall = PreparedCall & { context: RunContext; attempts: number }

export type Claim =
  | { next: 'calls'; calls: ClaimedCall[] }
  | { next: 'wait'; milliseconds: number }
  /** No call can start: the run stops when those in progress have ended. */
  | { next: 'stop' }
  /** The run makes no calls. */
  | { next: 'end' }

const stop: Claim = { next: 'stop' }
const busy: Claim = { next: 'wait', milliseconds: runLimits.busyMilliseconds }

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
  const most = context.provider.concurrency - inProgress
  if (most <= 0) return busy
  const limit = Math.min(runLimits.claimedCalls, 2 * most)
  const candidates = await listCandidates(jobs, key, lastPlace, limit)
  if (candidates.length === 0) {
    const milliseconds = await findNextAttempt(jobs, key, lastPlace)
    return milliseconds === undefined ? stop : { next: 'wait', milliseconds: milliseconds + 1 }
  }
  const prepared = await prepareCalls(jobs, context, candidates, most)
  return jobs.transaction((tx) => takeCalls(tx, key, owner, context, prepared), { project: key.projectId })
}

async function requestPause({ database }: DriveTools, key: RunKey, reason: Stop): Promise<Claim> {
  await database.jobs.transaction(async (tx) => {
    await lockRun(tx, key)
    await requestStop(tx, key, reason)
  })
  return stop
}

/** Locks the provider, the run and the month, in this order. */
async function takeCalls(
  tx: Transaction,
  key: RunKey,
  owner: string,
  context: RunContext,
  { ended, calls, hasDeferred }: PreparedCalls,
): Promise<Claim> {
  const { provider } = context
  const slots = await lockSlots(tx, key.projectId, provider.name)
  const run = await lockRun(tx, key)
  if (run === undefined || slots === undefined || !isActive(run.state) || run.stop_state !== null) return stop
  await endWithoutCall(tx, key, ended)
  const { free, againInMilliseconds } = freeSlots(slots, provider)
  const possible = calls.slice(0, free)
  if (possible.length === 0) {
    if (ended.length > 0) return { next: 'calls', calls: [] }
    return { next: 'wait', milliseconds: hasDeferred ? runLimits.busyMilliseconds : againInMilliseconds }
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
