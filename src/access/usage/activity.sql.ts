import { deleteInBatches } from '../../platform/database/batching/delete-in-batches.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { activityLimits } from '../limits.ts'

/** Counts by `source actor`. */
export type ActorActions = Map<string, number>

/** The UTC day. In hours, because a day of the server's time zone can be longer or shorter. */
const today = sql`date_bin('24 hours', now(), '2020-01-01T00:00:00Z'::timestamptz)`

/** Adds to today's sums and skips deleted projects. Locks rows in order, so that two processes never deadlock. */
export async function addActivity(
  database: Queryable,
  counts: ReadonlyMap<number, ActorActions>,
): Promise<void> {
  const rows = [...counts].flatMap(([project, actors]) =>
    [...actors].map(([key, actions]) => {
      const [source = '', ...actor] = key.split(' ')
      return { project, source, actor: actor.join(' '), actions }
    }),
  )
  await database.query(sql`
    insert into actor_activity as stored (project_id, day, source, actor, actions, last_at)
    select project, ${today}, source, actor, actions, now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as counted (project bigint, source text, actor text, actions bigint)
    where exists (select from projects where id = project)
    order by project, source collate "C", actor collate "C"
    on conflict (project_id, day, source, actor) do update
    set actions = stored.actions + excluded.actions, last_at = excluded.last_at`)
}

export type ActorActivity = {
  actor: string
  source: 'api' | 'console'
  name: string | null
  actions: number
  last_at: string
}

/** The most active users and tokens of the last 30 days, from the sums per day. */
export function listActivity(database: Queryable, projectId: number): Promise<ActorActivity[]> {
  return database.query(sql<ActorActivity>`
    select own.actor, own.source, nullif(users.name, '') as name, own.actions, own.last_at
    from (
      select actor, source, sum(actions)::bigint as actions, max(last_at) as last_at from actor_activity
      where project_id = ${projectId} and day >= ${today} - ${activityLimits.days - 1} * interval '24 hours'
      group by actor, source order by actions desc, actor limit ${activityLimits.shown}
    ) as own
    left join users on own.source = 'console' and users.email = own.actor
    order by own.actions desc, own.actor`)
}

export function deleteOldActivity(database: Queryable, signal: AbortSignal): Promise<void> {
  const before = sql`${today} - ${activityLimits.days - 1} * interval '24 hours'`
  return deleteInBatches(database, { table: 'actor_activity', column: 'day', before }, signal)
}
