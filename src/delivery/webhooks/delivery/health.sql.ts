import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { DisabledRow } from '../webhook.sql.ts'
import { openWebhooks } from './lane.sql.ts'

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
  tellAfter: readonly number[],
  disableAfter: number,
  gapMilliseconds: number,
): Promise<Failing | undefined> {
  const limits = [...tellAfter, disableAfter]
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
