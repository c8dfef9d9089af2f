import { setTimeout as sleep } from 'node:timers/promises'
import { runLimits } from '../../../model/limits/runs.ts'
import { resetAttempts } from '../../../platform/jobs/job.sql.ts'
import type { JobKind, JobResult, RunningJob } from '../../../platform/jobs/job.ts'
import { limitConcurrency } from '../../../platform/scheduling/concurrency-limit.ts'
import { runKind, runOf } from '../run-job.ts'
import { type Claim, claimCalls } from './claim-calls.ts'
import { finishRun } from './finish-run.ts'
import { makeCall } from './make-call.ts'
import type { DriveTools } from './run-context.ts'
import { settleOrphans } from './settle-call.ts'

/** A run claims only as many calls as its process can make, so no call waits for a slot. */
const callsAtOnce = {
  most: runLimits.callsAtOnce,
  maxPerProject: runLimits.callsPerProject,
  maxWaitSeconds: 0,
}

/** One job per run. A call holds neither a transaction nor a connection. */
export function runJobKind(parts: Omit<DriveTools, 'slots'>): JobKind {
  const tools = { ...parts, slots: limitConcurrency(callsAtOnce) }
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
  const onEnd = recordProgress(tools, job)
  const stopping = stopLater(job.signal)
  const endsAt = performance.now() + runLimits.turnMilliseconds
  try {
    for (;;) {
      const isOver = job.signal.aborted || performance.now() > endsAt
      const claim: Claim = isOver ? turnIsOver : await claimCalls(tools, key, job.owner, calls.size)
      if (claim.next === 'calls')
        for (const call of claim.calls)
          start(calls, makeCall(tools, key, job.owner, call, stopping.signal).then(onEnd))
      else if (calls.size > 0) await nextEnd(calls, claim)
      else if (claim.next === 'wait') return { againInMilliseconds: claim.milliseconds }
      else return claim.next === 'end' ? 'done' : await finishRun(tools, key)
    }
  } finally {
    stopping.clear()
    await Promise.allSettled(calls)
  }
}

/**
 * Kills during turns that made progress do not add up to the attempts of the job. Each call has its own limit, so a call that kills
 * its process cannot repeat forever.
 */
function recordProgress({ database }: DriveTools, { attempts, owner }: RunningJob): () => Promise<void> {
  let isRecorded = attempts === 0
  return async () => {
    if (isRecorded) return
    isRecorded = true
    await resetAttempts(database.jobs, owner)
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
