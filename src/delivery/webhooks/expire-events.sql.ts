import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { subscriptionLimits } from '../limits.ts'
import type { FeedPosition } from './partition-progress.sql.ts'

const maxRows = 500
const maxProjects = 200

/** Projects whose oldest event exceeds the retention, by id, after a given project. */
export async function listProjectsToExpire(
  database: Queryable,
  afterProject: number,
  retentionSeconds: number,
): Promise<number[]> {
  const rows = await database.query(sql<{ id: number }>`
    select project.id from projects as project
    cross join lateral (
      select changed_at from event_feed where project_id = project.id order by number limit 1
    ) as oldest
    where project.id > ${afterProject} and oldest.changed_at < clock_timestamp() - make_interval(secs => ${retentionSeconds})
    order by project.id limit ${maxProjects}`)
  return rows.map(({ id }) => id)
}

type Deleted = { last: FeedPosition | null; kept_from: string | null }

/**
 * Deletes the oldest events of a project, without leaving a gap. Returns the last deleted position and the time of the oldest remaining
 * event. The last row stays, because the next number follows from it. The row before the first retained one stays too: a client
 * that has read everything has its cursor.
 */
export async function deleteOldest(
  tx: Transaction,
  projectId: number,
  retentionSeconds: number,
): Promise<{ last: FeedPosition; keptFrom: string } | undefined> {
  const [row] = await tx.query(sql<Deleted>`
    with batch as materialized (
      select number, changed_at, cardinality(object_ids) as position from event_feed
      where project_id = ${projectId} order by number limit ${maxRows + 1}
    ), needed as materialized (
      -- Events that an enabled webhook has yet to deliver, or can be asked to retry.
      select least((
        select min(lane.number) from webhook_lanes as lane join webhooks as webhook
          on webhook.project_id = lane.project_id and webhook.id = lane.webhook_id
        where lane.project_id = ${projectId} and webhook.disabled_reason is null
      ), (
        select min(parked.number) from webhook_parked as parked join webhooks as webhook
          on webhook.project_id = parked.project_id and webhook.id = parked.webhook_id
        where parked.project_id = ${projectId} and webhook.disabled_reason is null
      )) as number
    ), kept as materialized (
      select number, changed_at from batch
      where changed_at >= clock_timestamp() - make_interval(secs => ${retentionSeconds})
        or (number >= (select number from needed)
            and changed_at >= clock_timestamp() - make_interval(secs => ${retentionSeconds}, days => ${subscriptionLimits.graceDays}))
        or number = (select max(number) from batch)
      order by number limit 1
    ), deleted as (
      delete from event_feed where project_id = ${projectId}
        and number >= (select min(number) from batch) and number < (select number from kept) - 1
    )
    select (select json_build_object('number', number, 'position', position) from batch
            where number < (select number from kept) - 1 order by number desc limit 1) as last,
           (select changed_at from batch where number >= (select number from kept) - 1 order by number limit 1) as kept_from`)
  return row?.last == null || row.kept_from === null ? undefined : { last: row.last, keptFrom: row.kept_from }
}

/** Marks webhooks that had not delivered everything up to a position, and deletes their failed deliveries up to it. */
export async function markSkipped(
  tx: Transaction,
  projectId: number,
  { number, position }: FeedPosition,
  keptFrom: string,
): Promise<void> {
  const isGone = sql`project_id = ${projectId} and number <= ${number}`
  // Locks webhooks before their failed deliveries, as all other statements do.
  await tx.query(sql`
    update webhooks set skipped_before = ${keptFrom}::timestamptz
    where project_id = ${projectId} and id in (
      select webhook_id from webhook_parked where ${isGone}
      union all
      select webhook_id from webhook_lanes where ${isGone} and (number, position) < (${number}::bigint, ${position}::bigint))`)
  await tx.query(sql`delete from webhook_parked where ${isGone}`)
}

/** Marks a webhook that starts before the oldest event: it receives only the remaining ones. */
export async function markSkippedStart(
  tx: Transaction,
  projectId: number,
  id: number,
  { number }: FeedPosition,
): Promise<void> {
  await tx.query(sql`
    update webhooks set skipped_before = oldest.changed_at
    from (select number, changed_at from event_feed where project_id = ${projectId} order by number limit 1) as oldest
    where webhooks.project_id = ${projectId} and webhooks.id = ${id} and oldest.number > ${number}::bigint + 1`)
}
