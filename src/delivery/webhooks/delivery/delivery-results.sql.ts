import { deleteInBatches } from '../../../platform/database/batching/delete-in-batches.ts'
import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { CatalogEvent } from '../../events/event.schema.ts'
import type { FeedPosition } from '../partition-progress.sql.ts'
import type { DisabledRow } from '../webhook.sql.ts'
import type { DeliveryResult } from '../webhook-sender.ts'
import { openWebhooks } from './partition.sql.ts'

export type Attempt = {
  project_id: number
  webhook_id: number
  at: string
  event_id: string
  type: string
  try: number
  status: number | null
  error: string | null
  milliseconds: number
}

/** Only for webhooks that still exist; their rows are locked against deletion. */
export async function insertAttempts(tx: Queryable, attempts: readonly Attempt[]): Promise<void> {
  if (attempts.length === 0) return
  await tx.query(sql`
    insert into webhook_attempts (project_id, webhook_id, at, event_id, type, try, status, error, milliseconds)
    select attempt.project_id, attempt.webhook_id, at, event_id, type, try, status, error, milliseconds
    from jsonb_to_recordset(${JSON.stringify(attempts)}::jsonb) as attempt (project_id bigint, webhook_id bigint,
      at timestamptz, event_id text, type text, try smallint, status smallint, error text, milliseconds int)
    join webhooks as webhook on webhook.project_id = attempt.project_id and webhook.id = attempt.webhook_id
    order by at for key share of webhook`)
}

const trimBatchSize = 5_000

/** Deletes all but the latest attempts of a webhook. */
export async function trimAttempts(
  tx: Queryable,
  projectId: number,
  webhookId: number,
  maxAttempts: number,
): Promise<void> {
  await tx.query(sql`
    delete from webhook_attempts where ctid = any(array(
      select ctid from webhook_attempts
      where project_id = ${projectId} and webhook_id = ${webhookId} and id <= (
        select id from webhook_attempts where project_id = ${projectId} and webhook_id = ${webhookId}
        order by id desc offset ${maxAttempts} limit 1)
      order by id limit ${trimBatchSize}))`)
}

export function deleteOldAttempts(database: Queryable, days: number, signal: AbortSignal): Promise<void> {
  const before = sql`now() - ${days} * interval '1 day'`
  return deleteInBatches(database, { table: 'webhook_attempts', column: 'at', before }, signal)
}

type Key = { projectId: number; webhookId: number }

/** Records when webhooks last succeeded, which ends an incident that began before. */
export async function recordWebhookSuccesses(
  tx: Queryable,
  successes: readonly (Key & { millisecondsAgo: number })[],
): Promise<void> {
  if (successes.length === 0) return
  // Locks in a fixed order, because other processes update the same webhooks.
  await tx.query(sql`
    select from webhooks where (project_id, id) in (select * from unnest(
      ${successes.map(({ projectId }) => projectId)}::bigint[], ${successes.map(({ webhookId }) => webhookId)}::bigint[]))
    order by project_id, id for no key update`)
  await tx.query(sql`
    update webhooks as webhook
    set last_success_at = greatest(last_success_at, saved.at),
        failing_since = case when failing_since >= saved.at then failing_since end,
        told = case when failing_since >= saved.at then told else 0 end
    from (select "projectId", "webhookId", clock_timestamp() - "millisecondsAgo" * interval '1 millisecond' as at
          from jsonb_to_recordset(${JSON.stringify(successes)}::jsonb)
            as saved ("projectId" bigint, "webhookId" bigint, "millisecondsAgo" int)) as saved
    where webhook.project_id = saved."projectId" and webhook.id = saved."webhookId"`)
}

/** A failure long after the last one begins a new incident. */
export async function recordWebhookFailure(
  tx: Queryable,
  { projectId, webhookId }: Key,
  error: string,
  gapMilliseconds: number,
): Promise<void> {
  const isNew = sql`coalesce(last_error_at < clock_timestamp() - ${gapMilliseconds} * interval '1 millisecond', true)`
  await tx.query(sql`
    update webhooks
    set last_error = ${error}, last_error_at = clock_timestamp(),
        failing_since = case when ${isNew} then clock_timestamp() else coalesce(failing_since, clock_timestamp()) end,
        told = case when ${isNew} then 0 else told end
    where project_id = ${projectId} and id = ${webhookId}`)
}

export type Failing = DisabledRow & Key & { told: number; failing_milliseconds: number }

/** Locks one webhook that has been failing long enough for the next notice; skips those that another process has locked. */
export async function lockFailingWebhook(
  tx: Transaction,
  noticeMilliseconds: readonly number[],
  disableMilliseconds: number,
  gapMilliseconds: number,
): Promise<Failing | undefined> {
  const limits = [...noticeMilliseconds, disableMilliseconds]
  const [row] = await tx.query(sql<Failing>`
    select webhook.project_id as "projectId", webhook.id as "webhookId", webhook.url, webhook.failing_since, webhook.last_error,
           webhook.told, extract(epoch from clock_timestamp() - webhook.failing_since) * 1000 as failing_milliseconds
    from ${openWebhooks}
    where webhook.disabled_reason is null
      and webhook.failing_since <= clock_timestamp() - (${limits}::bigint[])[webhook.told + 1] * interval '1 millisecond'
      and webhook.last_error_at > clock_timestamp() - ${gapMilliseconds} * interval '1 millisecond'
      and exists (select from webhook_lanes as lane
                  where lane.project_id = webhook.project_id and lane.webhook_id = webhook.id and lane.tries > 0)
    order by webhook.failing_since limit 1 for no key update of webhook skip locked`)
  return row
}

export async function setNoticeCount(
  tx: Transaction,
  { projectId, webhookId }: Key,
  count: number,
): Promise<void> {
  await tx.query(
    sql`update webhooks set told = ${count} where project_id = ${projectId} and id = ${webhookId}`,
  )
}

/** Keeps the number of the next attempt within a smallint. */
const maxTries = 32_766

export async function insertFailedDelivery(
  tx: Transaction,
  { projectId, webhookId }: Key,
  { id, cursor, type }: CatalogEvent,
  { number, position }: FeedPosition,
  tries: number,
  { status, error }: Pick<DeliveryResult, 'status' | 'error'>,
): Promise<void> {
  await tx.query(sql`
    insert into webhook_parked (project_id, webhook_id, event_id, cursor, number, position, type, tries, status, error)
    values (${projectId}, ${webhookId}, ${id}, ${cursor}, ${number}, ${position}, ${type}, ${tries}, ${status}, ${error})`)
}

export type FailedDelivery = Key & {
  id: number
  event_id: string
  number: number
  position: number
  tries: number
}

/** The oldest failed delivery of a webhook with a requested retry. */
export async function findPendingRetry(
  database: Queryable,
  { projectId, webhookId }: Key,
): Promise<FailedDelivery | undefined> {
  const [row] = await database.query(sql<FailedDelivery>`
    select project_id as "projectId", webhook_id as "webhookId", id, event_id, number, position, tries from webhook_parked
    where project_id = ${projectId} and webhook_id = ${webhookId} and retry_at is not null order by id limit 1`)
  return row
}

export async function deleteFailedDelivery(
  tx: Transaction,
  { projectId, webhookId, id }: Key & { id: number },
): Promise<void> {
  await tx.query(sql`
    delete from webhook_parked where project_id = ${projectId} and webhook_id = ${webhookId} and id = ${id}`)
}

/** The event stays in the list until another retry is requested. */
export async function recordFailedRetry(
  tx: Transaction,
  { projectId, webhookId, id }: Key & { id: number },
  { status, error }: Pick<DeliveryResult, 'status' | 'error'>,
): Promise<void> {
  await tx.query(sql`
    update webhook_parked set retry_at = null, tries = least(tries + 1, ${maxTries}), status = ${status}, error = ${error}
    where project_id = ${projectId} and webhook_id = ${webhookId} and id = ${id}`)
}
