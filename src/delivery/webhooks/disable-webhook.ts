import { notifyUsers } from '../../access/notifications/notify-users.ts'
import { type ChangeAuthor, recordEvents } from '../../model/events/record-events.sql.ts'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { recordWebhookAction } from './record-webhook-action.ts'
import type { Webhook } from './webhook.schema.ts'
import { type Disabling, disableWebhookRow, lockWebhook, requireWebhook } from './webhook.sql.ts'

export const service: ChangeAuthor = { actor: 'service', source: 'service' }

/** Pauses deliveries until the webhook is enabled again. No event is lost. */
export function disableByHand(
  database: Writable,
  author: ChangeAuthor,
  projectId: number,
  id: number,
): Promise<Webhook> {
  return database.transaction(async (tx) => {
    const { state } = await lockWebhook(tx, projectId, id)
    if (state === 'disabled') throw new Problem('webhook_disabled')
    await disableWebhook(tx, { projectId, webhookId: id, reason: 'by_hand' }, author)
    return requireWebhook(tx, projectId, id)
  })
}

/** Stops deliveries, and records the reason in an event and an audit entry. */
export async function disableWebhook(
  tx: Transaction,
  disabling: Disabling,
  author: ChangeAuthor = service,
): Promise<void> {
  const row = await disableWebhookRow(tx, disabling)
  if (row !== undefined) await emitWebhookEvent(tx, 'disabled', disabling, author, row)
}

export async function emitWebhookEvent(
  tx: Transaction,
  state: 'failing' | 'disabled',
  { projectId, webhookId, reason }: Omit<Disabling, 'reason'> & Partial<Disabling>,
  author: ChangeAuthor,
  { url, failing_since, last_error }: Pick<Webhook, 'url' | 'failing_since' | 'last_error'>,
): Promise<void> {
  const after = { state, url, failing_since, last_error, ...(reason && { reason }) }
  await recordEvents(tx, projectId, {
    ...author,
    type: `webhook.${state}`,
    // Readers of events may lack webhooks:manage, and the path of a URL can be a secret.
    objects: [{ id: webhookId, after: { ...after, url: new URL(url).origin } }],
  })
  if (reason !== 'by_hand')
    await notifyUsers(tx, {
      ...{ kind: 'webhook_failing', projectId, to: 'managers' },
      ...{ objectId: webhookId, title: new URL(url).host, state },
    })
  const action = `webhook.${state === 'failing' ? 'fail' : 'disable'}`
  await recordWebhookAction(tx, { name: author.actor }, action, projectId, webhookId, after)
}
