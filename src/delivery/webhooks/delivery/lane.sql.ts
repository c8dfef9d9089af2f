import { apiAccess } from '../../../access/projects/project-access.sql.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import type { RunningJob } from '../../../platform/jobs/job.ts'
import { type LanePlace, placeOf } from '../lane-place.sql.ts'

/** A lane that a process delivers under the lease of its webhook's job: where the lane is, and how often its next event was tried. */
export type HeldLane = {
  projectId: number
  webhookId: number
  lane: number
  lease: string
  place: LanePlace
  tries: number
}

type Row = Parameters<typeof placeOf>[0] & {
  lane: number
  tries: number
  is_due: boolean
  has_retries: boolean
}

/** Webhooks that events are delivered to: enabled, of a project with API access. */
export const openWebhooks = sql`
  webhooks as webhook
  join projects as project on project.id = webhook.project_id
  join plans as plan on plan.code = project.plan and ${apiAccess}`

export async function hasEnabled(database: Queryable): Promise<boolean> {
  const [row] = await database.query(
    sql<{ found: boolean }>`select exists (select from webhooks where disabled_reason is null) as found`,
  )
  return row?.found === true
}

export type TakenLanes = {
  /** Lanes that do not wait for another try. */
  due: HeldLane[]
  /** Whether dead-letter events are to be tried again. */
  hasRetries: boolean
}

/** Takes the lanes of a webhook from any other process, as long as this process holds the job. */
export async function takeLanes(
  database: Queryable,
  { projectId, owner }: Pick<RunningJob, 'projectId' | 'owner'>,
  webhookId: number,
): Promise<TakenLanes> {
  const rows = await database.query(sql<Row>`
    with held as materialized (
      select lane from webhook_lanes where project_id = ${projectId} and webhook_id = ${webhookId}
      order by lane for no key update
    )
    update webhook_lanes as lane set leased_by = ${owner} from held
    where project_id = ${projectId} and webhook_id = ${webhookId} and lane.lane = held.lane
      and exists (select from jobs where owner = ${owner})
    returning lane.*, next_try_at <= clock_timestamp() as is_due,
      exists (select from webhook_parked as parked where parked.project_id = lane.project_id
              and parked.webhook_id = lane.webhook_id and retry_at is not null) as has_retries`)
  return {
    due: rows
      .filter(({ is_due }) => is_due)
      .map((row) => ({
        ...{ projectId, webhookId, lane: row.lane, lease: owner, tries: row.tries, place: placeOf(row) },
      })),
    hasRetries: rows.some(({ has_retries }) => has_retries),
  }
}

/** Lanes as records that a statement reads. */
function sentLanes(lanes: readonly (HeldLane & Partial<LaneEnd>)[]): Sql {
  const sent = lanes.map(({ place: { at, replay }, ...lane }) => ({
    ...lane,
    ...at,
    replay_number: replay?.to.number ?? null,
    replay_position: replay?.to.position ?? null,
    resume_number: replay?.resume.number ?? null,
    resume_position: replay?.resume.position ?? null,
  }))
  return sql`jsonb_to_recordset(${JSON.stringify(sent)}::jsonb) as sent ("projectId" bigint, "webhookId" bigint, lane smallint,
    number bigint, position int, replay_number bigint, replay_position int, resume_number bigint, resume_position int,
    tries smallint, lease uuid, "hasMore" boolean, "pauseMilliseconds" float8)`
}

const keptColumns = sql`
  number = sent.number, position = sent.position, replay_number = sent.replay_number,
  replay_position = sent.replay_position, resume_number = sent.resume_number, resume_position = sent.resume_position,
  tries = sent.tries`

const isSame = sql`lane.project_id = sent."projectId" and lane.webhook_id = sent."webhookId" and lane.lane = sent.lane
  and lane.leased_by = sent.lease`

/** Saves the progress of lanes. Returns the ones still held; another process took the others, or a replay moved them. */
export async function keepLanes(
  tx: Queryable,
  lanes: readonly HeldLane[],
): Promise<Pick<HeldLane, 'webhookId' | 'lane' | 'lease'>[]> {
  // Locks in the same order as a replay that moves the lanes of a webhook.
  return tx.query(sql<Pick<HeldLane, 'webhookId' | 'lane' | 'lease'>>`
    with sent as materialized (select * from ${sentLanes(lanes)}), held as materialized (
      select lane.project_id, lane.webhook_id, lane.lane from webhook_lanes as lane join sent on ${isSame}
      order by lane.project_id, lane.webhook_id, lane.lane for no key update of lane
    )
    update webhook_lanes as lane
    set ${keptColumns}, first_failed_at = case when sent.tries > 0 then coalesce(lane.first_failed_at, clock_timestamp()) end
    from sent join held on (held.project_id, held.webhook_id, held.lane) = (sent."projectId", sent."webhookId", sent.lane)
    where ${isSame}
    returning lane.webhook_id as "webhookId", lane.lane, lane.leased_by as lease`)
}

/** Why delivery of a lane stopped: it has no more events, or the next one has to wait. */
export type LaneEnd = { hasMore: boolean; pauseMilliseconds: number }

/** Releases the lanes of a webhook, and returns the milliseconds until the first of them has an event to deliver. */
export async function releaseLanes(
  database: Queryable,
  { projectId, owner }: Pick<RunningJob, 'projectId' | 'owner'>,
  webhookId: number,
  lanes: readonly (HeldLane & LaneEnd)[],
): Promise<number | undefined> {
  const rows = await database.query(sql<{ pause: number | null }>`
    with sent as materialized (select * from ${sentLanes(lanes)}), held as materialized (
      select * from webhook_lanes as lane
      where project_id = ${projectId} and webhook_id = ${webhookId} and leased_by = ${owner}
      order by lane for no key update
    ), kept as (
      update webhook_lanes as lane set ${keptColumns}, leased_by = null, has_more = sent."hasMore",
        next_try_at = clock_timestamp() + sent."pauseMilliseconds" * interval '1 millisecond',
        first_failed_at = case when sent.tries > 0 then coalesce(lane.first_failed_at, clock_timestamp()) end
      from held join sent on sent.lane = held.lane
      where (lane.project_id, lane.webhook_id, lane.lane) = (held.project_id, held.webhook_id, held.lane)
      returning lane.has_more, lane.next_try_at
    ), waiting as (
      update webhook_lanes as lane set leased_by = null from held
      where (lane.project_id, lane.webhook_id, lane.lane) = (held.project_id, held.webhook_id, held.lane)
        and held.lane not in (select lane from sent)
      returning lane.has_more, lane.next_try_at
    )
    select min(extract(epoch from next_try_at - clock_timestamp())::float8 * 1000) as pause
    from (select * from kept union all select * from waiting) as lane where has_more`)
  const pause = rows[0]?.pause ?? null
  return pause === null ? undefined : Math.max(0, pause)
}

/** Requests due deliveries that have no job: after a project got its API access back, or after a restore. */
export async function requestMissingDeliveries(database: Queryable): Promise<void> {
  await database.query(sql`
    insert into jobs (project_id, kind, key)
    select webhook.project_id, 'webhook.deliver', webhook.id::text from ${openWebhooks}
    where webhook.disabled_reason is null
      and not exists (select from jobs where jobs.project_id = webhook.project_id and jobs.kind = 'webhook.deliver'
                      and jobs.key = webhook.id::text)
      and (exists (select from webhook_lanes as lane
                   where lane.project_id = webhook.project_id and lane.webhook_id = webhook.id and (lane.has_more or lane.number < (
                     select max(number) from event_feed where event_feed.project_id = webhook.project_id)))
           or exists (select from webhook_parked as parked where parked.project_id = webhook.project_id
                      and parked.webhook_id = webhook.id and parked.retry_at is not null))
    on conflict do nothing`)
}
