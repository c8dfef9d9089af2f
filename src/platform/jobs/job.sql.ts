import type { Queryable, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { ClaimedJob, JobKey } from './job.ts'

/** Requests a run of a job, now or after a pause. A job that waits is due at the earlier of the two times; one that ended starts over. */
export async function requestJob(
  tx: Queryable,
  { projectId, kind, key }: JobKey,
  inMilliseconds = 0,
): Promise<void> {
  await tx.query(sql`
    insert into jobs (project_id, kind, key, due_at)
    values (${projectId}, ${kind}, ${key}, clock_timestamp() + ${inMilliseconds}::float8 * interval '1 millisecond')
    on conflict (project_id, kind, key) do update
    set due_at = case when jobs.failed_at is null then least(jobs.due_at, excluded.due_at) else excluded.due_at end,
        attempts = case when jobs.failed_at is null then jobs.attempts else 0 end, failed_at = null`)
}

/** Takes a job from the process that runs it, and makes it run again. */
export async function restartJob(tx: Transaction, job: JobKey): Promise<void> {
  await requestJob(tx, job)
  await tx.query(sql`
    update jobs set owner = null, lease_until = null, due_at = clock_timestamp(), attempts = 0
    where project_id = ${job.projectId} and kind = ${job.kind} and key = ${job.key} and owner is not null`)
}

export async function deleteJob(tx: Queryable, { projectId, kind, key }: JobKey): Promise<void> {
  await tx.query(sql`delete from jobs where project_id = ${projectId} and kind = ${kind} and key = ${key}`)
}

const maxCandidates = 500

/** The oldest due jobs of some kinds. If there are very many, the first ones of each project. */
export async function listDue(
  database: Queryable,
  kinds: readonly string[],
  maxPerProject: number,
): Promise<JobKey[]> {
  const oldest = await listOldest(database, kinds)
  const crowded = [...Map.groupBy(oldest, ({ kind }) => kind)].flatMap(([kind, some]) =>
    some.length === maxCandidates ? [kind] : [],
  )
  if (crowded.length === 0) return oldest
  const rest = oldest.filter(({ kind }) => !crowded.includes(kind))
  return [...rest, ...(await listByProject(database, crowded, maxPerProject))]
}

function listOldest(database: Queryable, kinds: readonly string[]): Promise<JobKey[]> {
  return database.query(sql<JobKey>`
    select due.project_id as "projectId", due.kind, due.key from unnest(${kinds}::text[]) as wanted (kind)
    cross join lateral (
      select project_id, kind, key from jobs
      where jobs.kind = wanted.kind and owner is null and failed_at is null and due_at <= clock_timestamp()
      order by due_at limit ${maxCandidates}
    ) as due`)
}

/**
 * Projects are found one after another through the index, so that many queued jobs of one project do not slow down the
 * others.
 */
function listByProject(
  database: Queryable,
  kinds: readonly string[],
  maxPerProject: number,
): Promise<JobKey[]> {
  return database.query(sql<JobKey>`
    with recursive waiting as (
      select wanted.kind, first.project_id from unnest(${kinds}::text[]) as wanted (kind)
      cross join lateral (
        select project_id from jobs where jobs.kind = wanted.kind and owner is null and failed_at is null
        order by project_id limit 1
      ) as first
      where exists (select from jobs as due where due.kind = wanted.kind and due.owner is null and due.failed_at is null
                    and due.due_at <= clock_timestamp())
      union all
      select waiting.kind, next.project_id from waiting
      cross join lateral (
        select project_id from jobs where jobs.kind = waiting.kind and jobs.project_id > waiting.project_id
          and owner is null and failed_at is null
        order by project_id limit 1
      ) as next
    )
    select own.project_id as "projectId", own.kind, own.key from (
      select waiting.project_id, waiting.kind, due.key, due.due_at, due.place from waiting
      cross join lateral (
        select key, due_at, row_number() over (order by due_at) as place from jobs
        where jobs.kind = waiting.kind and jobs.project_id = waiting.project_id and owner is null and failed_at is null
          and due_at <= clock_timestamp()
        order by due_at limit ${maxPerProject}
      ) as due
    ) as own order by own.place, own.due_at limit ${maxCandidates}`)
}

/** Claims the jobs that are still due and that no other process has claimed in the meantime. */
export function claimJobs(
  database: Queryable,
  jobs: readonly JobKey[],
  leaseMilliseconds: number,
): Promise<ClaimedJob[]> {
  return database.query(sql<ClaimedJob>`
    with free as (
      select id from jobs
      where (project_id, kind, key) in (select * from unnest(${jobs.map(({ projectId }) => projectId)}::bigint[],
              ${jobs.map(({ kind }) => kind)}::text[], ${jobs.map(({ key }) => key)}::text[]))
        and owner is null and failed_at is null and due_at <= clock_timestamp()
      for update skip locked
    )
    update jobs set owner = gen_random_uuid(), due_at = 'infinity',
      lease_until = clock_timestamp() + ${leaseMilliseconds}::float8 * interval '1 millisecond'
    from free where jobs.id = free.id
    returning project_id as "projectId", kind, key, owner, attempts`)
}

/** Returns the owners whose leases are still valid. */
export async function renewLeases(
  database: Queryable,
  owners: readonly string[],
  leaseMilliseconds: number,
): Promise<Set<string>> {
  const rows = await database.query(sql<{ owner: string }>`
    with held as materialized (
      select id from jobs where owner = any(${owners}::uuid[]) order by project_id, kind, key for no key update
    )
    update jobs set lease_until = clock_timestamp() + ${leaseMilliseconds}::float8 * interval '1 millisecond'
    from held where jobs.id = held.id returning owner`)
  return new Set(rows.map(({ owner }) => owner))
}

/** Makes the jobs of killed processes due again. This counts as a failed attempt, because the job may be the cause. */
export async function endExpiredLeases(database: Queryable): Promise<void> {
  await database.query(sql`
    with expired as (
      select id from jobs where owner is not null and lease_until <= clock_timestamp() for update skip locked
    )
    update jobs set owner = null, lease_until = null, due_at = least(due_at, clock_timestamp()), attempts = attempts + 1,
      last_error = 'the process that ran the job stopped before it finished'
    from expired where jobs.id = expired.id`)
}

/** The job made progress, so earlier failures no longer count. */
export async function resetAttempts(database: Queryable, owner: string): Promise<void> {
  await database.query(sql`update jobs set attempts = 0 where owner = ${owner} and attempts > 0`)
}

/** Returns jobs to the queue without counting an attempt. */
export async function releaseJobs(database: Queryable, owners: readonly string[]): Promise<void> {
  await database.query(sql`
    update jobs set owner = null, lease_until = null, due_at = least(due_at, clock_timestamp())
    where owner = any(${owners}::uuid[])`)
}

/** Ends a job that is done, unless it was requested again while it ran. */
export async function finishJob(database: Queryable, owner: string): Promise<void> {
  const rows = await database.query(
    sql`delete from jobs where owner = ${owner} and due_at = 'infinity' returning 1`,
  )
  if (rows.length > 0) return
  await database.query(sql`
    update jobs set owner = null, lease_until = null, attempts = 0, last_error = null where owner = ${owner}`)
}

export async function continueJob(database: Queryable, owner: string, inMilliseconds: number): Promise<void> {
  await database.query(sql`
    update jobs set owner = null, lease_until = null, attempts = 0, last_error = null,
      due_at = least(due_at, clock_timestamp() + ${inMilliseconds}::float8 * interval '1 millisecond')
    where owner = ${owner}`)
}

export async function postponeJob(
  database: Queryable,
  owner: string,
  { error, inMilliseconds, isCounted }: { error: string; inMilliseconds: number; isCounted: boolean },
): Promise<void> {
  await database.query(sql`
    update jobs set owner = null, lease_until = null, attempts = attempts + ${isCounted ? 1 : 0}, last_error = ${error},
      due_at = clock_timestamp() + ${inMilliseconds}::float8 * interval '1 millisecond'
    where owner = ${owner}`)
}

/** Returns whether the job was still held. */
export async function failJob(tx: Transaction, owner: string, error: string): Promise<boolean> {
  const rows = await tx.query(sql`
    update jobs set owner = null, lease_until = null, attempts = attempts + 1, last_error = ${error},
      failed_at = clock_timestamp(), due_at = 'infinity'
    where owner = ${owner} returning 1`)
  return rows.length > 0
}
