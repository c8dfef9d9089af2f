import type { Transaction } from '../database/database.ts'
import { jobLimits } from '../limits/jobs.ts'
import { doublingPauses, type RetryPolicy } from '../scheduling/retry.ts'

/** Identifies a job. Project 0 is the service itself. */
export type JobKey = { projectId: number; kind: string; key: string }

/** A job that this process holds. */
export type ClaimedJob = JobKey & {
  /** The lease: another process that claims the job gets another owner. */
  owner: string
  /** Failed attempts before this one. */
  attempts: number
}

export type RunningJob = ClaimedJob & {
  /** Aborted when the lease is lost or the process stops. */
  signal: AbortSignal
}

/** What follows a run: nothing, or another one after a pause. Both count as progress. */
export type JobResult = 'done' | { againInMilliseconds: number }

export type JobKind = {
  name: string
  /** Jobs of this kind that the process runs at once. */
  maxConcurrent: number
  /** How many of these can belong to one project. */
  maxPerProject: number
  /** Slots that only projects without a running job of this kind can use. */
  reserved: number
  /** After this many failed attempts in a row the job ends. */
  maxAttempts: number
  /** The longest pause after a failed attempt. */
  maxPauseSeconds: number
  /** Runs once, for a bounded time; a long job returns and continues in its next run. */
  run: (job: RunningJob) => Promise<JobResult>
}

/** What an end or a retry means for the object that a job works on. Shared by the service and by commands. */
export type JobEnd = {
  /** The job ended without success; `reason` is for users of the project. */
  giveUp?: (tx: Transaction, job: JobKey, reason: string) => Promise<void>
  /** An operator retries a job that ended. */
  revive?: (tx: Transaction, job: JobKey, actor: string) => Promise<void>
  /** An operator cancels the job, if that differs from giving it up. */
  cancel?: (tx: Transaction, job: JobKey, actor: string) => Promise<void>
  /** Why an operator cannot cancel jobs of this kind. */
  whyKept?: string
}
export type JobEnds = Readonly<Record<string, JobEnd>>

/** Pauses double from the first to the longest of the kind, and vary so that jobs that failed together run apart. */
export function retriesOf({ maxAttempts, maxPauseSeconds }: JobKind): RetryPolicy {
  return {
    attempts: maxAttempts,
    pauses: doublingPauses(jobLimits.pauseMilliseconds, maxPauseSeconds * 1000),
    jitter: jobLimits.pauseJitter,
  }
}
