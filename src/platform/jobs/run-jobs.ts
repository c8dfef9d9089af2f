import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Writable } from '../database/database.ts'
import { type JobLimits, jobLimits } from '../limits/jobs.ts'
import { shareRuns } from '../scheduling/batcher.ts'
import { chooseJobs } from './choose-jobs.ts'
import { claimJobs, endExpiredLeases, listDue, releaseJobs, renewLeases } from './job.sql.ts'
import type { ClaimedJob, JobEnds, JobKind, JobResult } from './job.ts'
import { recordJobFailure, recordResult } from './record-result.ts'

type Parts = {
  kinds: readonly JobKind[]
  ends: JobEnds
  /** For the queue itself, whose statements take a millisecond. Each kind uses its own connections. */
  database: Writable
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  /** Interrupts running jobs after a stopping process has waited long enough. */
  interrupt?: () => void
  limits?: JobLimits | undefined
  /** Called with the recorded result of each run. */
  onRun?: (kind: string, result: 'done' | 'again' | 'failed' | 'ended') => void
}

type Run = ClaimedJob & { stop: AbortController; heldUntil: number; ended: Promise<void> }

/** Runs the jobs of this process. Any number of processes share one table of jobs. */
export function runJobs({
  kinds,
  ends,
  database,
  log,
  interrupt = () => {},
  limits = jobLimits,
  onRun = () => {},
}: Parts) {
  const running = new Map<string, Run>()
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  const lastProjects = new Map<string, number>()
  const largestShare = Math.max(1, ...kinds.map(({ maxPerProject }) => maxPerProject))
  let isStopping = false

  function runningOf(kind: JobKind): Run[] {
    return [...running.values()].filter((run) => run.kind === kind.name)
  }

  async function poll(): Promise<void> {
    const open = kinds.filter((kind) => runningOf(kind).length < kind.maxConcurrent)
    if (isStopping || open.length === 0) return
    const due = await listDue(
      database,
      open.map(({ name }) => name),
      largestShare,
    )
    const chosen = open.flatMap((kind) =>
      chooseJobs(
        due.filter((job) => job.kind === kind.name),
        runningOf(kind),
        kind,
        lastProjects.get(kind.name),
      ),
    )
    if (chosen.length === 0 || isStopping) return
    for (const { kind, projectId } of chosen) lastProjects.set(kind, projectId)
    for (const job of await claimJobs(database, chosen, limits.leaseMilliseconds)) start(job)
  }

  /** One poll at a time; a request during a poll is served by the next one. */
  const pollOnce = shareRuns(() =>
    poll().catch((error) => log.warn({ err: error }, 'cannot poll for due jobs')),
  )
  const wake = () => void pollOnce()

  function start(job: ClaimedJob): void {
    const heldUntil = performance.now() + limits.leaseMilliseconds
    const run: Run = { ...job, stop: new AbortController(), heldUntil, ended: Promise.resolve() }
    running.set(job.owner, run)
    run.ended = execute(run).finally(() => {
      running.delete(job.owner)
      wake()
    })
  }

  async function execute(run: Run): Promise<void> {
    const kind = byName.get(run.kind) as JobKind
    const { signal } = run.stop
    try {
      const result = await attempt(kind, run)
      if (!signal.aborted) onRun(run.kind, await recordResult(database, run, result))
    } catch (error) {
      // A stopping process returns its jobs to the queue; a lost lease belongs to another process.
      if (signal.aborted) return
      await recordJobFailure(database, { kind, ends, log }, run, error as Error).then(
        (result) => onRun(run.kind, result),
        (failure) => log.warn({ err: failure, job: describeJob(run) }, 'cannot record the result of a job'),
      )
    }
  }

  async function renew(): Promise<void> {
    const runs = [...running.values()]
    const until = performance.now() + limits.leaseMilliseconds
    if (runs.length > 0) {
      const owners = runs.map(({ owner }) => owner)
      const held = await renewLeases(database, owners, limits.leaseMilliseconds)
      for (const run of runs) {
        if (held.has(run.owner)) run.heldUntil = until
        else run.stop.abort()
      }
    }
    await endExpiredLeases(database)
  }

  async function keepLeases(): Promise<void> {
    await renew().catch((error) => log.warn({ err: error }, 'cannot renew the leases of jobs'))
    for (const run of running.values()) if (run.heldUntil < performance.now()) run.stop.abort()
  }

  const timers = [
    setInterval(wake, limits.pollMilliseconds),
    setInterval(() => void keepLeases(), limits.renewMilliseconds),
  ]
  for (const timer of timers) timer.unref()

  async function stop(): Promise<void> {
    isStopping = true
    for (const timer of timers) clearInterval(timer)
    await pollOnce()
    const runs = [...running.values()]
    for (const { stop } of runs) stop.abort()
    const ended = Promise.all(runs.map((run) => run.ended))
    const inTime = () => Promise.race([ended, sleep(limits.stopMilliseconds, undefined, { ref: false })])
    await inTime()
    interrupt()
    await inTime()
    if (runs.length === 0) return
    const owners = runs.map(({ owner }) => owner)
    await releaseJobs(database, owners).catch((error) =>
      log.warn({ err: error }, 'cannot return jobs to the queue'),
    )
  }

  return { wake, stop }
}

function attempt(kind: JobKind, run: Run): Promise<JobResult> {
  if (run.attempts >= kind.maxAttempts)
    throw new Error('the processes that ran the job stopped before it finished')
  return kind.run({ ...run, signal: run.stop.signal })
}

function describeJob({ kind, projectId, key }: ClaimedJob): string {
  return `${kind} ${projectId} ${key}`
}
