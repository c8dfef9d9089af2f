import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { timeOnDay } from './demo-dates.ts'

export async function moveRequest(
  tx: Queryable,
  id: number,
  days: { asked: number; decided: number },
): Promise<void> {
  await tx.query(sql`
    update access_requests
    set created_at = ${timeOnDay(days.asked, sql`id`)},
        decided_at = case when decided_at is not null then ${timeOnDay(days.decided, sql`id`)} end
    where id = ${id}`)
}

export async function moveProject(tx: Queryable, projectId: number, daysAgo: number): Promise<void> {
  const at = timeOnDay(daysAgo, sql`0`)
  await tx.query(sql`update projects set created_at = ${at}, updated_at = ${at} where id = ${projectId}`)
}

/** Tokens are as old as the shop and were used a few minutes ago, on the last day with usage. */
export async function moveTokens(tx: Queryable, projectId: number): Promise<void> {
  await tx.query(sql`
    update tokens
    set created_at = ${timeOnDay(116, sql`id`)},
        last_used_at = case when hash is not null then
          greatest(date_trunc('day', now(), 'UTC'), now() - (1 + id % 5) * interval '3 minutes') end
    where project_id = ${projectId}`)
}

/** As many actions as changed products in the history of the last month, because the demo sends no requests. */
export async function addDemoActivity(tx: Queryable, projectId: number): Promise<void> {
  await tx.query(sql`
    insert into actor_activity (project_id, day, source, actor, actions, last_at)
    select ${projectId}, date_trunc('day', changed_at, 'UTC'), case source when 'console' then source else 'api' end, actor,
      count(*), max(changed_at)
    from product_history
    where project_id = ${projectId} and source <> 'cli' and changed_at >= date_trunc('day', now(), 'UTC') - interval '29 days'
    group by 2, 3, 4`)
}

/** Requests per day: more on weekdays, a little more every week, and today in proportion to the time of day. */
export async function addDemoUsage(tx: Queryable, projectId: number): Promise<void> {
  await tx.query(sql`
    insert into project_usage (project_id, day, requests)
    select ${projectId}, day, ceil(share * (900 - 6 * ago + 37 * ago % 113 + case when extract(isodow from day) < 6 then 700 else 0 end))
    from generate_series(0, 29) as ago
    cross join lateral (
      select (now() at time zone 'utc')::date - ago as day,
             case ago when 0 then (1 + extract(epoch from now() at time zone 'utc')::bigint % 86400) / 86400.0 else 1 end as share
    ) as days`)
}
