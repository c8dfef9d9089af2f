import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import type { WebhookAttempt, WebhookParked } from './webhook-log.schema.ts'

/** Newest first. */
export function listAttempts(
  database: Queryable,
  projectId: number,
  webhookId: number,
  failed: boolean | undefined,
  page: PageRequest,
): Promise<Page<WebhookAttempt>> {
  return selectPage(database, {
    columns: sql`id, at, event_id, type, try, status, error, milliseconds`,
    from: sql`webhook_attempts`,
    where: sql`project_id = ${projectId} and webhook_id = ${webhookId}
      ${failed === undefined ? sql`` : sql`and (error is not null) = ${failed}`}`,
    orderBy: sql`id desc`,
    page,
  })
}

/** Oldest first: the order in which they are retried. */
export function listFailedDeliveries(
  database: Queryable,
  projectId: number,
  webhookId: number,
  page: PageRequest,
): Promise<Page<WebhookParked>> {
  return selectPage(database, {
    columns: sql`id, event_id, cursor, type, parked_at, tries, status, error, retry_at is not null as retrying`,
    from: sql`webhook_parked`,
    where: sql`project_id = ${projectId} and webhook_id = ${webhookId}`,
    orderBy: sql`id`,
    page,
  })
}

/** Requests a retry of the given failed deliveries, or of all. Returns their number. */
export async function markForRetry(
  tx: Transaction,
  projectId: number,
  webhookId: number,
  ids: readonly number[] | undefined,
): Promise<number> {
  const rows = await tx.query(sql`
    update webhook_parked set retry_at = coalesce(retry_at, now())
    where project_id = ${projectId} and webhook_id = ${webhookId}
      ${ids === undefined ? sql`` : sql`and id = any(${ids}::bigint[])`}
    returning 1`)
  return rows.length
}
