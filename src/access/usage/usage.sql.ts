import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

type DayOfUse = { day: string; requests: number }

const today = sql`(now() at time zone 'utc')::date`

/** Adds to today's counts in one statement; a project that is gone by now has none. It takes the projects in order, so that two processes never deadlock. */
export async function addUsage(database: Queryable, counts: ReadonlyMap<number, number>): Promise<void> {
  const projects = [...counts.keys()].sort((a, b) => a - b)
  const requests = projects.map((project) => counts.get(project) ?? 0)
  await database.query(sql`
    insert into project_usage as kept (project_id, day, requests)
    select project_id, ${today}, requests
    from unnest(${projects}::bigint[], ${requests}::bigint[]) as counted (project_id, requests)
    where exists (select from projects where id = project_id)
    order by project_id
    on conflict (project_id, day) do update set requests = kept.requests + excluded.requests`)
}

/** The last 30 days, oldest first; a day without requests is a zero. */
export function listUsage(database: Queryable, projectId: number): Promise<DayOfUse[]> {
  return database.query(sql<DayOfUse>`
    select to_char(days.day, 'YYYY-MM-DD') as day, coalesce(kept.requests, 0) as requests
    from generate_series(${today} - 29, ${today}, interval '1 day') as days (day)
    left join project_usage as kept on kept.project_id = ${projectId} and kept.day = days.day::date
    order by days.day`)
}
