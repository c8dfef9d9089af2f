import { apiAccess } from '../../../access/projects/project-access.sql.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import type { RunningJob } from '../../../platform/jobs/job.ts'
import { type PartitionProgress, readProgress } from '../partition-progress.sql.ts'

/** A partition that a process delivers under the lease of its webhook's job: its progress, and the attempts for its next event. */
export type LeasedPartition = {
  projectId: number
  webhookId: number
  index: number
  lease: string
  progress: PartitionProgress
  tries: number
}

type Row = Parameters<typeof readProgress>[0] & {
  lane: number
  tries: number
  is_due: boolean
  has_retries: boolean
}

/** Webhooks of projects with API access. */
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

export type LeasedPartitions = {
  /** Partitions that do not wait for a retry. */
  due: LeasedPartition[]
  /** Whether dead-letter events are to be tried again. */
  hasRetries: boolean
}

/** Leases the partitions of a webhook, also from another process, while this process owns the job. */
export async function leasePartitions(
  database: Queryable,
  { projectId, owner }: Pick<RunningJob, 'projectId' | 'owner'>,
  webhookId: number,
): Promise<LeasedPartitions> {
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
        ...{
          projectId,
          webhookId,
          index: row.lane,
          lease: owner,
          tries: row.tries,
          progress: readProgress(row),
        },
      })),
    hasRetries: rows.some(({ has_retries }) => has_retries),
  }
}

/** Partitions as a record set for a statement. */
function partitionRecords(partitions: readonly (LeasedPartition & Partial<PartitionResult>)[]): Sql {
  const sent = partitions.map(({ index: lane, progress: { at, replay }, ...rest }) => ({
    ...rest,
    lane,
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

const savedColumns = sql`
  number = sent.number, position = sent.position, replay_number = sent.replay_number,
  replay_position = sent.replay_position, resume_number = sent.resume_number, resume_position = sent.resume_position,
  tries = sent.tries`

const isSame = sql`lane.project_id = sent."projectId" and lane.webhook_id = sent."webhookId" and lane.lane = sent.lane
  and lane.leased_by = sent.lease`

/** Saves the progress of partitions. Returns those with a valid lease; another process or a replay took the others. */
export async function savePartitions(
  tx: Queryable,
  partitions: readonly LeasedPartition[],
): Promise<Pick<LeasedPartition, 'webhookId' | 'index' | 'lease'>[]> {
  // Locks in the same order as a replay that moves the partitions of a webhook.
  return tx.query(sql<Pick<LeasedPartition, 'webhookId' | 'index' | 'lease'>>`
    with sent as materialized (select * from ${partitionRecords(partitions)}), held as materialized (
      select lane.project_id, lane.webhook_id, lane.lane from webhook_lanes as lane join sent on ${isSame}
      order by lane.project_id, lane.webhook_id, lane.lane for no key update of lane
    )
    update webhook_lanes as lane
    set ${savedColumns}, first_failed_at = case when sent.tries > 0 then coalesce(lane.first_failed_at, clock_timestamp()) end
    from sent join held on (held.project_id, held.webhook_id, held.lane) = (sent."projectId", sent."webhookId", sent.lane)
    where ${isSame}
    returning lane.webhook_id as "webhookId", lane.lane as index, lane.leased_by as lease`)
}

/** Why the delivery of a partition stopped: it has no more events, or the next one has to wait. */
export type PartitionResult = { hasMore: boolean; pauseMilliseconds: number }

/** Releases the partitions of a webhook. Returns the milliseconds until the first of them has an event to deliver. */
export async function releasePartitions(
  database: Queryable,
  { projectId, owner }: Pick<RunningJob, 'projectId' | 'owner'>,
  webhookId: number,
  partitions: readonly (LeasedPartition & PartitionResult)[],
): Promise<number | undefined> {
  const rows = await database.query(sql<{ pause: number | null }>`
    with sent as materialized (select * from ${partitionRecords(partitions)}), held as materialized (
      select * from webhook_lanes as lane
      where project_id = ${projectId} and webhook_id = ${webhookId} and leased_by = ${owner}
      order by lane for no key update
    ), kept as (
      update webhook_lanes as lane set ${savedColumns}, leased_by = null, has_more = sent."hasMore",
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

/** Requests due deliveries that have no job: after a project regained its API access, or after a restore. */
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
