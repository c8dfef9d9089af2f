import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

type UsageOfDay = { day: string; requests: number }

const today = sql`(now() at time zone 'utc')::date`

/** Adds to today's counts and skips deleted projects. Locks projects in order, so that two processes never deadlock. */
export async function addUsage(database: Queryable, counts: ReadonlyMap<number, number>): Promise<void> {
  const projects = [...counts.keys()].sort((a, b) => a - b)
  const requests = projects.map((project) => counts.get(project) ?? 0)
  await database.query(sql`
    insert into project_usage as stored (project_id, day, requests)
    select project_id, ${today}, requests
    from unnest(${projects}::bigint[], ${requests}::bigint[]) as counted (project_id, requests)
    where exists (select from projects where id = project_id)
    order by project_id
    on conflict (project_id, day) do update set requests = stored.requests + excluded.requests`)
}

/** The last 30 days, oldest first; days without requests are 0. */
export function listUsage(database: Queryable, projectId: number): Promise<UsageOfDay[]> {
  return database.query(sql<UsageOfDay>`
    select to_char(days.day, 'YYYY-MM-DD') as day, coalesce(stored.requests, 0) as requests
    from generate_series(${today} - 29, ${today}, interval '1 day') as days (day)
    left join project_usage as stored on stored.project_id = ${projectId} and stored.day = days.day::date
    order by days.day`)
}
