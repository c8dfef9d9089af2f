import type { Caller } from '../../access/tokens/caller.ts'
import type { Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { requestDelivery } from './delivery-job.ts'
import { recordWebhookAction } from './record-webhook-action.ts'
import { lockWebhook } from './webhook.sql.ts'
import { markForRetry } from './webhook-log.sql.ts'

/** Requests one retry for each failed delivery; a job retries them, oldest first. */
export function requestRetries(
  database: Writable,
  { project_id: projectId, token_name: name }: Pick<Caller, 'project_id' | 'token_name'>,
  id: number,
  ids: readonly number[] | undefined,
): Promise<{ retrying: number }> {
  return database.transaction(async (tx) => {
    const { state } = await lockWebhook(tx, projectId, id)
    if (state === 'disabled') throw new Problem('webhook_disabled')
    const retrying = await markForRetry(tx, projectId, id, ids)
    await requestDelivery(tx, projectId, id)
    await recordWebhookAction(tx, { name }, 'webhook.retry', projectId, id, { events: retrying })
    return { retrying }
  })
}
