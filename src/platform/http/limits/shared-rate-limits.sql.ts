import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { UsedSeconds } from './token-buckets.ts'

/** Records that this process is running, and returns how many others are. */
export async function countOtherProcesses(database: Queryable, id: string): Promise<number> {
  const [row] = await database.query(sql<{ others: number }>`
    with announced as (
      insert into rate_limit_processes (id, seen_at) values (${id}, now())
      on conflict (id) do update set seen_at = excluded.seen_at
    ), forgotten as (
      delete from rate_limit_processes where seen_at < now() - interval '1 minute'
    ), idle as (
      delete from rate_limit_buckets where full_at < now() - interval '1 minute'
    )
    select count(*)::int as others from rate_limit_processes
    where id <> ${id} and seen_at > now() - interval '6 seconds'`)
  return row?.others ?? 0
}

export async function removeProcess(database: Queryable, id: string): Promise<void> {
  await database.query(sql`delete from rate_limit_processes where id = ${id}`)
}

/** Adds the used seconds, and returns how long each bucket needs to be full again. Ordered, like all writes of many rows. */
export function addUsedSeconds(database: Queryable, taken: UsedSeconds[]): Promise<UsedSeconds[]> {
  const projects = taken.map(({ project_id }) => project_id)
  const seconds = taken.map((one) => one.seconds)
  return database.query(sql<UsedSeconds>`
    insert into rate_limit_buckets as bucket (project_id, full_at)
    select project_id, now() + seconds * interval '1 second'
    from unnest(${projects}::bigint[], ${seconds}::float8[]) as taken (project_id, seconds) order by project_id
    on conflict (project_id) do update
    set full_at = greatest(bucket.full_at, now()) + (excluded.full_at - now())
    returning project_id, extract(epoch from full_at - now())::float8 as seconds`)
}
