import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { deleteJob, requestJob, restartJob } from '../../platform/jobs/job.sql.ts'
import type { JobEnd, JobKey } from '../../platform/jobs/job.ts'
import { disableWebhook } from './disable-webhook.ts'
import { recordWebhookAct } from './record-webhook-act.ts'
import { enableFailed } from './webhook.sql.ts'

export const deliveryKind = 'webhook.deliver'

function deliveryJob(projectId: number, webhookId: number): JobKey {
  return { projectId, kind: deliveryKind, key: String(webhookId) }
}

/** Has the webhook get what it has not got yet. */
export function requestDelivery(tx: Queryable, projectId: number, webhookId: number): Promise<void> {
  return requestJob(tx, deliveryJob(projectId, webhookId))
}

export function deleteDelivery(tx: Queryable, projectId: number, webhookId: number): Promise<void> {
  return deleteJob(tx, deliveryJob(projectId, webhookId))
}

/** The same, and a process that delivers to it now stops: its lanes were moved. */
export function restartDelivery(tx: Transaction, projectId: number, webhookId: number): Promise<void> {
  return restartJob(tx, deliveryJob(projectId, webhookId))
}

/** Deliveries that the service itself cannot make disable the webhook. */
export const deliveryEnd: JobEnd = {
  giveUp: (tx, { projectId, key }) =>
    disableWebhook(tx, { projectId, webhookId: Number(key), reason: 'failing' }),
  /** A webhook that was disabled for another reason meanwhile stays disabled. */
  async revive(tx, { projectId, key }, actor) {
    const id = Number(key)
    if (!(await enableFailed(tx, projectId, id))) return
    await recordWebhookAct(tx, { name: actor }, 'webhook.enable', projectId, id, {})
  },
  cancel: (tx, { projectId, key }, actor) =>
    disableWebhook(tx, { projectId, webhookId: Number(key), reason: 'by_hand' }, { actor, source: 'cli' }),
}
