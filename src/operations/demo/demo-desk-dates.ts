import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { momentOf } from './demo-dates.ts'

export async function moveRequest(
  tx: Queryable,
  id: number,
  days: { asked: number; decided: number },
): Promise<void> {
  await tx.query(sql`
    update access_requests
    set created_at = ${momentOf(days.asked, sql`id`)},
        decided_at = case when decided_at is not null then ${momentOf(days.decided, sql`id`)} end
    where id = ${id}`)
}

export async function moveProject(tx: Queryable, projectId: number, daysAgo: number): Promise<void> {
  const at = momentOf(daysAgo, sql`0`)
  await tx.query(sql`update projects set created_at = ${at}, updated_at = ${at} where id = ${projectId}`)
}

/** Tokens that are as old as the shop, and were used some minutes ago, on the last day that has usage. */
export async function moveTokens(tx: Queryable, projectId: number): Promise<void> {
  await tx.query(sql`
    update tokens
    set created_at = ${momentOf(116, sql`id`)},
        last_used_at = case when hash is not null then
          greatest(date_trunc('day', now(), 'UTC'), now() - (1 + id % 5) * interval '3 minutes') end
    where project_id = ${projectId}`)
}

/** What those tokens asked for, by day: more on weekdays, a little more every week, and today as far as the day has come. */
export async function addUsage(tx: Queryable, projectId: number): Promise<void> {
  await tx.query(sql`
    insert into project_usage (project_id, day, requests)
    select ${projectId}, day, ceil(share * (900 - 6 * ago + 37 * ago % 113 + case when extract(isodow from day) < 6 then 700 else 0 end))
    from generate_series(0, 29) as ago
    cross join lateral (
      select (now() at time zone 'utc')::date - ago as day,
             case ago when 0 then (1 + extract(epoch from now() at time zone 'utc')::bigint % 86400) / 86400.0 else 1 end as share
    ) as days`)
}
