import type { Queryable } from '../../../platform/database/database.ts'
import { deleteInBatches } from '../../../platform/database/delete-in-batches.ts'
import { sql } from '../../../platform/database/sql.ts'

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
