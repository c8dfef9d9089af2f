import type { FastifyBaseLogger } from 'fastify'
import type { Writable } from '../database/database.ts'
import { failureOf } from '../database/failures.ts'
import { FileStoreFailure } from '../file-store/file-store.ts'
import { jobLimits } from '../limits/jobs.ts'
import { pauseAfter } from '../scheduling/retry.ts'
import { continueJob, failJob, finishJob, postponeJob } from './job.sql.ts'
import { type ClaimedJob, type JobEnds, type JobKind, type JobResult, retriesOf } from './job.ts'

type Parts = { kind: JobKind; ends: JobEnds; log: Pick<FastifyBaseLogger, 'warn' | 'error'> }

/** An unavailable or busy database does not count as a failed attempt, and neither does an unavailable file store. */
const outages = new Set<unknown>(['database_unavailable', 'too_busy'])

export async function recordResult(
  database: Writable,
  { owner }: ClaimedJob,
  result: JobResult,
): Promise<'done' | 'again'> {
  if (result === 'done') {
    await finishJob(database, owner)
    return 'done'
  }
  await continueJob(database, owner, result.againInMilliseconds)
  return 'again'
}

/** The job waits for its next attempt, or ends after its last. */
export async function recordJobFailure(
  database: Writable,
  { kind, ends, log }: Parts,
  job: ClaimedJob,
  error: Error,
): Promise<'failed' | 'ended'> {
  const about = { err: error, job: job.kind, project: job.projectId, key: job.key }
  const isOutage = error instanceof FileStoreFailure || outages.has(failureOf(error))
  const attempts = job.attempts + 1
  const message = error.message.slice(0, jobLimits.errorCharacters)
  const inMilliseconds = isOutage ? jobLimits.outagePauseMilliseconds : pauseAfter(attempts, retriesOf(kind))
  if (inMilliseconds !== undefined) {
    log.warn({ ...about, attempts }, 'a job failed and will be retried')
    await postponeJob(database, job.owner, { error: message, inMilliseconds, isCounted: !isOutage })
    return 'failed'
  }
  log.error({ ...about, attempts }, 'a job failed permanently')
  await database.transaction(async (tx) => {
    if (await failJob(tx, job.owner, message))
      await ends[job.kind]?.giveUp?.(tx, job, reasonOf(error, attempts))
  })
  return 'ended'
}

/** For users of a project: without the error message of the database. */
function reasonOf(error: Error, attempts: number): string {
  const what =
    failureOf(error) === 'query_timeout' ? 'A query exceeded its time limit' : 'An unexpected error occurred'
  return `${what} in ${attempts} attempts. Ask the operator for the details, which "catalog jobs list" shows.`
}
