import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { deleteJob, requestJob, restartJob } from '../../platform/jobs/job.sql.ts'
import type { JobEnd, JobKey } from '../../platform/jobs/job.ts'
import { disableWebhook } from './disable-webhook.ts'
import { recordWebhookAction } from './record-webhook-action.ts'
import { enableIfFailing } from './webhook.sql.ts'

export const deliveryKind = 'webhook.deliver'

function deliveryJob(projectId: number, webhookId: number): JobKey {
  return { projectId, kind: deliveryKind, key: String(webhookId) }
}

/** Requests delivery of all events that the webhook has not received yet. */
export function requestDelivery(tx: Queryable, projectId: number, webhookId: number): Promise<void> {
  return requestJob(tx, deliveryJob(projectId, webhookId))
}

export function deleteDelivery(tx: Queryable, projectId: number, webhookId: number): Promise<void> {
  return deleteJob(tx, deliveryJob(projectId, webhookId))
}

/** Also stops a process that is delivering to the webhook, because its partitions were moved. */
export function restartDelivery(tx: Transaction, projectId: number, webhookId: number): Promise<void> {
  return restartJob(tx, deliveryJob(projectId, webhookId))
}

/** A delivery job that runs out of attempts disables the webhook. */
export const deliveryEnd: JobEnd = {
  giveUp: (tx, { projectId, key }) =>
    disableWebhook(tx, { projectId, webhookId: Number(key), reason: 'failing' }),
  /** A webhook that was meanwhile disabled for another reason stays disabled. */
  async revive(tx, { projectId, key }, actor) {
    const id = Number(key)
    if (!(await enableIfFailing(tx, projectId, id))) return
    await recordWebhookAction(tx, { name: actor }, 'webhook.enable', projectId, id, {})
  },
  cancel: (tx, { projectId, key }, actor) =>
    disableWebhook(tx, { projectId, webhookId: Number(key), reason: 'by_hand' }, { actor, source: 'cli' }),
}
