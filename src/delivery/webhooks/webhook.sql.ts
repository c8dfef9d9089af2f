import type { Scope } from '../../model/scopes.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import { notFound } from '../../platform/http/problems.ts'
import type { disabledReasons, Webhook } from './webhook.schema.ts'

/** Time of the oldest change that some partition has not processed yet. */
const oldestUnread = sql`(
  select row.changed_at from (
    select number, position from webhook_lanes as lane
    where lane.project_id = webhook.project_id and lane.webhook_id = webhook.id order by number, position limit 1
  ) as lane
  join event_feed as row on row.project_id = webhook.project_id and row.number >= lane.number
    and (row.number > lane.number or cardinality(row.object_ids) > lane.position)
  order by row.number limit 1)`

export const webhookState = sql`
  case when webhook.disabled_reason is not null then 'disabled' when webhook.failing_since is not null then 'failing' else 'enabled' end`

export const webhookColumns = sql`
  webhook.id, webhook.url, webhook.types, webhook.scopes, webhook.actor, ${webhookState} as state,
  webhook.disabled_reason, webhook.disabled_at, webhook.failing_since,
  coalesce(greatest(0, round(extract(epoch from clock_timestamp() - ${oldestUnread})::numeric, 1)), 0) as lag_seconds,
  (select count(*) from webhook_parked as parked
   where parked.project_id = webhook.project_id and parked.webhook_id = webhook.id) as parked,
  webhook.last_error, webhook.last_error_at, webhook.last_success_at, webhook.skipped_before,
  case when webhook.old_secret_until > clock_timestamp() then webhook.old_secret_until end as rotation_ends_at,
  webhook.created_at, webhook.updated_at`

export function listWebhooks(
  database: Queryable,
  projectId: number,
  page: PageRequest,
): Promise<Page<Webhook>> {
  return selectPage(database, {
    columns: webhookColumns,
    from: sql`webhooks as webhook`,
    where: sql`webhook.project_id = ${projectId}`,
    orderBy: sql`webhook.id`,
    page,
  })
}

export async function requireWebhook(database: Queryable, projectId: number, id: number): Promise<Webhook> {
  const [row] = await database.query(sql<Webhook>`
    select ${webhookColumns} from webhooks as webhook where webhook.project_id = ${projectId} and webhook.id = ${id}`)
  if (row === undefined) throw notFound('webhook', id)
  return row
}

/** Locks the webhook until the transaction ends, so that changes of it are serialized. */
export async function lockWebhook(tx: Transaction, projectId: number, id: number): Promise<Webhook> {
  await tx.query(sql`select from webhooks where project_id = ${projectId} and id = ${id} for update`)
  return requireWebhook(tx, projectId, id)
}

export async function countWebhooks(tx: Transaction, projectId: number): Promise<number> {
  const [row] = await tx.query(
    sql<{ count: number }>`select count(*) as count from webhooks where project_id = ${projectId}`,
  )
  return row?.count ?? 0
}

export type NewWebhook = {
  url: string
  types: readonly string[] | null
  scopes: readonly Scope[]
  actor: string
  /** Encrypted. */
  secret: string
}

/** Returns the id. */
export async function insertWebhook(
  tx: Transaction,
  projectId: number,
  { url, types, scopes, actor, secret }: NewWebhook,
): Promise<number> {
  const [row] = await tx.query(sql<{ id: number }>`
    insert into webhooks (project_id, url, types, scopes, actor, secret)
    values (${projectId}, ${url}, ${types}, ${scopes}, ${actor}, ${secret}) returning id`)
  return (row as { id: number }).id
}

/** Undefined fields keep their values. */
export async function updateWebhook(
  tx: Transaction,
  projectId: number,
  id: number,
  { url, types }: { url?: string | undefined; types?: readonly string[] | null | undefined },
): Promise<void> {
  await tx.query(sql`
    update webhooks set url = coalesce(${url ?? null}, url), updated_at = now(),
      types = case when ${types !== undefined} then ${types ?? null}::text[] else types end
    where project_id = ${projectId} and id = ${id}`)
}

/** The previous secret continues to sign during the overlap, if it can be decrypted. */
export async function replaceSecret(
  tx: Transaction,
  projectId: number,
  id: number,
  encrypted: string,
  overlapSeconds: number,
): Promise<void> {
  await tx.query(sql`
    update webhooks
    set old_secret = secret, old_secret_until = now() + make_interval(secs => ${overlapSeconds}), secret = ${encrypted}, updated_at = now()
    where project_id = ${projectId} and id = ${id}`)
}

const enabled = sql`disabled_reason = null, disabled_at = null, failing_since = null, told = 0, updated_at = now()`

export async function enableWebhookRow(tx: Transaction, projectId: number, id: number): Promise<void> {
  await tx.query(sql`update webhooks set ${enabled} where project_id = ${projectId} and id = ${id}`)
}

/** Enables a webhook that was disabled because deliveries failed. Returns false if it was not. */
export async function enableIfFailing(tx: Transaction, projectId: number, id: number): Promise<boolean> {
  const rows = await tx.query(sql`
    update webhooks set ${enabled} where project_id = ${projectId} and id = ${id} and disabled_reason = 'failing' returning 1`)
  return rows.length > 0
}

export type Disabling = {
  projectId: number
  webhookId: number
  reason: (typeof disabledReasons)[number]
}
export type DisabledRow = Pick<Webhook, 'url' | 'failing_since' | 'last_error'>

/** Undefined if the webhook is already disabled or does not exist. */
export async function disableWebhookRow(
  tx: Transaction,
  { projectId, webhookId, reason }: Disabling,
): Promise<DisabledRow | undefined> {
  const [row] = await tx.query(sql<DisabledRow>`
    update webhooks set disabled_reason = ${reason}, disabled_at = clock_timestamp()
    where project_id = ${projectId} and id = ${webhookId} and disabled_reason is null
    returning url, failing_since, last_error`)
  return row
}

/** Also deletes its partitions, attempts and failed deliveries, by cascade. */
export async function deleteWebhookRow(tx: Transaction, projectId: number, id: number): Promise<void> {
  await tx.query(sql`delete from webhooks where project_id = ${projectId} and id = ${id}`)
}
