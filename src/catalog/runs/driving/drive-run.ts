import { setTimeout as sleep } from 'node:timers/promises'
import { runLimits } from '../../../model/limits/runs.ts'
import type { JobKind, JobResult, RunningJob } from '../../../platform/jobs/job.ts'
import type { RunKey } from '../run.sql.ts'
import { runKind, runOf } from '../run-job.ts'
import { type Claim, type ClaimedCall, claimCalls } from './claim-calls.ts'
import { finishRun } from './finish-run.ts'
import { slowDown } from './provider-slots.sql.ts'
import { interrupted, readOutcome } from './read-outcome.ts'
import type { DriveTools } from './run-context.ts'
import { settleCall, settleOrphans } from './settle-call.ts'

/** One job per run. A call holds neither a transaction nor a connection. */
export function runJobKind(tools: DriveTools): JobKind {
  return {
    name: runKind,
    maxConcurrent: runLimits.runsAtOnce,
    maxPerProject: runLimits.runsPerProject,
    reserved: runLimits.runsReserved,
    maxAttempts: runLimits.jobAttempts,
    maxPauseSeconds: runLimits.jobPauseSeconds,
    run: (job) => driveRun(tools, job),
  }
}

/** Makes calls until the run stops, the turn ends, or the rest has to wait. */
async function driveRun(tools: DriveTools, job: RunningJob): Promise<JobResult> {
  const key = runOf(job)
  await settleOrphans(tools.database.jobs, key, job.owner)
  const calls = new Set<Promise<void>>()
  const stopping = stopLater(job.signal)
  const endsAt = performance.now() + runLimits.turnMilliseconds
  try {
    for (;;) {
      const isOver = job.signal.aborted || performance.now() > endsAt
      const claim: Claim = isOver ? turnIsOver : await claimCalls(tools, key, job.owner, calls.size)
      if (claim.next === 'calls')
        for (const call of claim.calls) start(calls, makeCall(tools, key, job.owner, call, stopping.signal))
      else if (calls.size > 0) await nextEnd(calls, claim)
      else if (claim.next === 'wait') return { againInMilliseconds: claim.milliseconds }
      else return claim.next === 'end' ? 'done' : await finishRun(tools, key)
    }
  } finally {
    stopping.clear()
    await Promise.allSettled(calls)
  }
}

const turnIsOver: Claim = { next: 'wait', milliseconds: 0 }

/** A failed settlement ends the turn: the next one settles the call. */
function start(calls: Set<Promise<void>>, call: Promise<void>): void {
  const tracked = call.finally(() => calls.delete(tracked))
  tracked.catch(() => {})
  calls.add(tracked)
}

/** Waits until a call ends, or until calls can start again. */
async function nextEnd(calls: ReadonlySet<Promise<void>>, claim: Claim): Promise<void> {
  const waiting = new AbortController()
  const pause = claim.next === 'wait' && claim.milliseconds > 0 ? claim.milliseconds : undefined
  const awake =
    pause === undefined ? [] : [sleep(pause, undefined, { signal: waiting.signal }).catch(() => {})]
  try {
    await Promise.race([...calls, ...awake])
  } finally {
    waiting.abort()
  }
}

/** Keeps the responses of calls that end shortly after the process starts to stop. */
function stopLater(signal: AbortSignal): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(() => controller.abort(), runLimits.stopMilliseconds)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

async function makeCall(
  tools: DriveTools,
  key: RunKey,
  owner: string,
  call: ClaimedCall,
  signal: AbortSignal,
): Promise<void> {
  const { provider } = call.context
  const startedAt = performance.now()
  const response = await tools.models.call(provider, { ...call.request, signal })
  const outcome =
    signal.aborted && response.outcome !== 'values' ? interrupted(call) : readOutcome(call, response)
  const { jobs } = tools.database
  const limited = await settleCall(jobs, key, { place: call.place, owner }, outcome)
  if (!outcome.isLimited || response.outcome === 'values') return
  const doubled = runLimits.limitedMilliseconds * 2 ** Math.min(limited, 10)
  const pauseMilliseconds =
    response.retryAfterMilliseconds ?? Math.min(doubled, runLimits.longestLimitedMilliseconds)
  const secondsAgo = (performance.now() - startedAt) / 1000
  const { concurrency } = provider
  await slowDown(jobs, key.projectId, provider.name, { concurrency, secondsAgo, pauseMilliseconds })
}
