import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { apiAccess } from '../../projects/project-access.sql.ts'
import { placeOf } from '../lane-place.sql.ts'
import type { LanePlace } from '../lane-place.ts'

/** A lane that a process delivers by a lease of its own: where the lane is, and how often its next event was tried. */
export type HeldLane = {
  projectId: number
  webhookId: number
  lane: number
  lease: string
  place: LanePlace
  tries: number
}

type Row = Parameters<typeof placeOf>[0] & {
  project_id: number
  webhook_id: number
  lane: number
  leased_by: string
  tries: number
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

export type LaneRequest = {
  most: number
  mostOfWebhook: number
  /** Receivers of one project that are slow leave lanes to other projects. */
  mostOfProject: number
  /** The lanes that the process holds already. */
  busy: readonly { projectId: number; webhookId: number }[]
  leaseMilliseconds: number
}

/** Takes lanes that have something to deliver and that nobody holds, the longest due first. */
export async function leaseLanes(
  database: Queryable,
  { most, mostOfWebhook, mostOfProject, busy, leaseMilliseconds }: LaneRequest,
): Promise<HeldLane[]> {
  const rows = await database.query(sql<Row>`
    with busy as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(busy)}::jsonb) as busy ("projectId" bigint, "webhookId" bigint)
    ), open as materialized (
      select webhook.project_id, webhook.id,
             (select max(number) from event_feed where project_id = webhook.project_id) as head,
             ${mostOfWebhook}::int - (select count(*) from busy where "webhookId" = webhook.id) as room,
             ${mostOfProject}::int - (select count(*) from busy where "projectId" = webhook.project_id) as room_of_project
      from ${openWebhooks} where webhook.disabled_reason is null
    ), due_of_webhook as (
      select lane.project_id, lane.webhook_id, lane.lane, lane.next_try_at, open.room, open.room_of_project,
             row_number() over (partition by lane.project_id, lane.webhook_id order by lane.next_try_at, lane.lane) as place
      from open join webhook_lanes as lane on lane.project_id = open.project_id and lane.webhook_id = open.id
      where lane.next_try_at <= clock_timestamp() and coalesce(lane.leased_until <= clock_timestamp(), true)
        and (lane.has_more or lane.number < open.head)
    ), due as (
      select *, row_number() over (partition by project_id order by next_try_at, webhook_id, lane) as place_of_project
      from due_of_webhook where place <= room
    ), free as (
      select lane.project_id, lane.webhook_id, lane.lane
      from due join webhook_lanes as lane using (project_id, webhook_id, lane)
      where due.place_of_project <= due.room_of_project and coalesce(lane.leased_until <= clock_timestamp(), true)
      order by due.next_try_at limit ${most} for update of lane skip locked
    )
    update webhook_lanes as lane
    set leased_by = gen_random_uuid(), leased_until = clock_timestamp() + ${leaseMilliseconds} * interval '1 millisecond'
    from free where (lane.project_id, lane.webhook_id, lane.lane) = (free.project_id, free.webhook_id, free.lane)
    returning lane.*`)
  return rows.map((row) => ({
    projectId: row.project_id,
    webhookId: row.webhook_id,
    lane: row.lane,
    lease: row.leased_by,
    place: placeOf(row),
    tries: row.tries,
  }))
}

/** Keeps how far lanes are, and holds them on. Returns those that are held still; somebody moved or took the others. */
export async function keepLanes(
  tx: Queryable,
  lanes: readonly HeldLane[],
  leaseMilliseconds: number,
): Promise<{ lease: string }[]> {
  const sent = lanes.map(({ place: { at, replay }, ...lane }) => ({
    ...lane,
    ...at,
    replay_number: replay?.to.number ?? null,
    replay_position: replay?.to.position ?? null,
    resume_number: replay?.resume.number ?? null,
    resume_position: replay?.resume.position ?? null,
  }))
  // In one order, as whoever moves the lanes of a webhook locks them.
  return tx.query(sql<{ lease: string }>`
    with sent as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(sent)}::jsonb) as sent ("projectId" bigint, "webhookId" bigint, lane smallint,
        number bigint, position int, replay_number bigint, replay_position int, resume_number bigint, resume_position int, tries smallint, lease uuid)
    ), held as materialized (
      select lane.leased_by from webhook_lanes as lane
      join sent on lane.project_id = sent."projectId" and lane.webhook_id = sent."webhookId" and lane.lane = sent.lane
        and lane.leased_by = sent.lease
      order by lane.project_id, lane.webhook_id, lane.lane for no key update of lane
    )
    update webhook_lanes as lane
    set number = sent.number, position = sent.position, replay_number = sent.replay_number,
        replay_position = sent.replay_position, resume_number = sent.resume_number, resume_position = sent.resume_position,
        tries = sent.tries, first_failed_at = case when sent.tries > 0 then lane.first_failed_at end,
        leased_until = clock_timestamp() + ${leaseMilliseconds} * interval '1 millisecond'
    from sent join held on held.leased_by = sent.lease
    where lane.project_id = sent."projectId" and lane.webhook_id = sent."webhookId" and lane.lane = sent.lane
      and lane.leased_by = sent.lease
    returning lane.leased_by as lease`)
}

/** Lets a lane go, until its next event is due. */
export async function releaseLane(
  tx: Transaction,
  { projectId, webhookId, lane, lease, tries }: HeldLane,
  { hasMore, pauseMilliseconds }: { hasMore: boolean; pauseMilliseconds: number },
): Promise<void> {
  await tx.query(sql`
    update webhook_lanes
    set has_more = ${hasMore}, leased_by = null, leased_until = null,
        next_try_at = clock_timestamp() + ${pauseMilliseconds} * interval '1 millisecond',
        first_failed_at = case when ${tries > 0} then coalesce(first_failed_at, clock_timestamp()) end
    where project_id = ${projectId} and webhook_id = ${webhookId} and lane = ${lane} and leased_by = ${lease}`)
}
