import type { Queryable, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { jobLimits } from '../limits/jobs.ts'
import { maintenanceKind } from './recurring.ts'

/** Jobs without attempts left stay visible for some days. */
export async function deleteOldFailures(database: Queryable): Promise<void> {
  await database.query(sql`
    delete from jobs where failed_at < clock_timestamp() - ${jobLimits.failedDays} * interval '1 day'`)
}

export const jobStates = ['running', 'due', 'waiting', 'failed'] as const
export type JobState = (typeof jobStates)[number]

/** A job as operators see it. */
export type ListedJob = {
  id: number
  /** Null: the job belongs to the service. */
  project_id: number | null
  kind: string
  key: string
  state: JobState
  /** Failed attempts in a row. */
  attempts: number
  due_at: string | null
  lease_until: string | null
  failed_at: string | null
  last_error: string | null
  created_at: string
}

const state = sql`case when failed_at is not null then 'failed' when owner is not null then 'running'
  when due_at <= clock_timestamp() then 'due' else 'waiting' end`

const shown = sql`id, nullif(project_id, 0) as project_id, kind, key, ${state} as state, attempts,
  case when due_at <> 'infinity' then due_at end as due_at, lease_until, failed_at, last_error, created_at`

export type JobFilters = {
  projectId?: number | undefined
  kind?: string | undefined
  state?: JobState | undefined
}

/** Failed jobs first, newest first, then the others by due time. */
export function listJobs(
  database: Queryable,
  { projectId, kind, state: wanted }: JobFilters,
  limit: number,
): Promise<ListedJob[]> {
  return database.query(sql<ListedJob>`
    select ${shown} from jobs
    where true ${projectId === undefined ? sql`` : sql`and project_id = ${projectId}`}
      ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
      ${wanted === undefined ? sql`` : sql`and ${state} = ${wanted}`}
    order by failed_at desc nulls last, due_at, id limit ${limit}`)
}

/** Locks the job until the transaction ends. */
export async function lockJob(tx: Transaction, id: number): Promise<ListedJob | undefined> {
  const [job] = await tx.query(sql<ListedJob>`select ${shown} from jobs where id = ${id} for update`)
  return job
}

/** Makes the job due now, as if it had never failed. */
export async function makeJobDue(tx: Transaction, id: number): Promise<void> {
  await tx.query(sql`
    update jobs set due_at = clock_timestamp(), attempts = 0, failed_at = null, last_error = null where id = ${id}`)
}

export type JobCounts = {
  kind: string
  states: Record<JobState, number>
  /** How long the oldest due job of the kind has been due. */
  oldest_due_seconds: number
}

/** The number of jobs by kind and state, including kinds without jobs. */
export async function countJobs(database: Queryable, kinds: readonly string[]): Promise<JobCounts[]> {
  type Row = { kind: string; state: JobState; count: number; oldest_seconds: number }
  const rows = await database.query(sql<Row>`
    select kind, ${state} as state, count(*)::int as count,
           greatest(0, extract(epoch from clock_timestamp() - min(due_at) filter (where due_at <> 'infinity')))::float8 as oldest_seconds
    from jobs where kind = any(${kinds}) group by 1, 2`)
  return kinds.map((kind) => {
    const of = (state: JobState) => rows.find((row) => row.kind === kind && row.state === state)
    return {
      kind,
      states: Object.fromEntries(jobStates.map((one) => [one, of(one)?.count ?? 0])) as JobCounts['states'],
      oldest_due_seconds: of('due')?.oldest_seconds ?? 0,
    }
  })
}

/** Whether a service runs jobs: it holds a lease, or runs maintenance jobs, which are due every few seconds. */
export async function hasRunningJobs(database: Queryable, longestDueSeconds: number): Promise<boolean> {
  const [row] = await database.query(sql<{ run: boolean }>`
    select exists (select from jobs where lease_until > clock_timestamp())
      or coalesce(min(due_at) > clock_timestamp() - ${longestDueSeconds}::float8 * interval '1 second', false) as run
    from jobs where kind = ${maintenanceKind} and owner is null`)
  return row?.run === true
}
