import { deleteInBatches } from '../../../platform/database/batching/delete-in-batches.ts'
import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { CatalogEvent } from '../../events/event.schema.ts'
import type { Place } from '../lane-place.sql.ts'
import type { DisabledRow } from '../webhook.sql.ts'
import type { Outcome } from '../webhook-sender.ts'
import { openWebhooks } from './lane.sql.ts'

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

const trimmedAtOnce = 5_000

/** Leaves a webhook its last attempts. */
export async function trimAttempts(
  tx: Queryable,
  projectId: number,
  webhookId: number,
  most: number,
): Promise<void> {
  await tx.query(sql`
    delete from webhook_attempts where ctid = any(array(
      select ctid from webhook_attempts
      where project_id = ${projectId} and webhook_id = ${webhookId} and id <= (
        select id from webhook_attempts where project_id = ${projectId} and webhook_id = ${webhookId}
        order by id desc offset ${most} limit 1)
      order by id limit ${trimmedAtOnce}))`)
}

export function deleteOldAttempts(database: Queryable, days: number, signal: AbortSignal): Promise<void> {
  const before = sql`now() - ${days} * interval '1 day'`
  return deleteInBatches(database, { table: 'webhook_attempts', column: 'at', before }, signal)
}

type Key = { projectId: number; webhookId: number }

/** Notes when webhooks last succeeded, which ends a trouble that began before. */
export async function noteSuccesses(
  tx: Queryable,
  successes: readonly (Key & { millisecondsAgo: number })[],
): Promise<void> {
  if (successes.length === 0) return
  // In one order: other processes note theirs of the same webhooks.
  await tx.query(sql`
    select from webhooks where (project_id, id) in (select * from unnest(
      ${successes.map(({ projectId }) => projectId)}::bigint[], ${successes.map(({ webhookId }) => webhookId)}::bigint[]))
    order by project_id, id for no key update`)
  await tx.query(sql`
    update webhooks as webhook
    set last_success_at = greatest(last_success_at, noted.at),
        failing_since = case when failing_since >= noted.at then failing_since end,
        told = case when failing_since >= noted.at then told else 0 end
    from (select "projectId", "webhookId", clock_timestamp() - "millisecondsAgo" * interval '1 millisecond' as at
          from jsonb_to_recordset(${JSON.stringify(successes)}::jsonb)
            as noted ("projectId" bigint, "webhookId" bigint, "millisecondsAgo" int)) as noted
    where webhook.project_id = noted."projectId" and webhook.id = noted."webhookId"`)
}

/** A failure long after the last one begins a new trouble. */
export async function noteFailure(
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

/** Webhooks that fail for as long as the project was to be told of, one of them for whoever asks. */
export async function lockFailing(
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

export async function setTold(tx: Transaction, { projectId, webhookId }: Key, told: number): Promise<void> {
  await tx.query(
    sql`update webhooks set told = ${told} where project_id = ${projectId} and id = ${webhookId}`,
  )
}

/** Columns count as far, and the next try still has a number. */
const mostTries = 32_766

export async function insertParked(
  tx: Transaction,
  { projectId, webhookId }: Key,
  { id, cursor, type }: CatalogEvent,
  { number, position }: Place,
  tries: number,
  { status, error }: Pick<Outcome, 'status' | 'error'>,
): Promise<void> {
  await tx.query(sql`
    insert into webhook_parked (project_id, webhook_id, event_id, cursor, number, position, type, tries, status, error)
    values (${projectId}, ${webhookId}, ${id}, ${cursor}, ${number}, ${position}, ${type}, ${tries}, ${status}, ${error})`)
}

export type ParkedEvent = Key & {
  id: number
  event_id: string
  number: number
  position: number
  tries: number
}

/** The oldest event of a webhook that is to be tried again. */
export async function findRetry(
  database: Queryable,
  { projectId, webhookId }: Key,
): Promise<ParkedEvent | undefined> {
  const [row] = await database.query(sql<ParkedEvent>`
    select project_id as "projectId", webhook_id as "webhookId", id, event_id, number, position, tries from webhook_parked
    where project_id = ${projectId} and webhook_id = ${webhookId} and retry_at is not null order by id limit 1`)
  return row
}

export async function deleteParked(
  tx: Transaction,
  { projectId, webhookId, id }: Key & { id: number },
): Promise<void> {
  await tx.query(sql`
    delete from webhook_parked where project_id = ${projectId} and webhook_id = ${webhookId} and id = ${id}`)
}

/** It stays parked until somebody lets it be tried again. */
export async function keepParked(
  tx: Transaction,
  { projectId, webhookId, id }: Key & { id: number },
  { status, error }: Pick<Outcome, 'status' | 'error'>,
): Promise<void> {
  await tx.query(sql`
    update webhook_parked set retry_at = null, tries = least(tries + 1, ${mostTries}), status = ${status}, error = ${error}
    where project_id = ${projectId} and webhook_id = ${webhookId} and id = ${id}`)
}
