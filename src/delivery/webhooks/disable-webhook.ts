import { type ChangeAuthor, recordEvents } from '../../model/events/record-events.sql.ts'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { recordWebhookAct } from './record-webhook-act.ts'
import type { Webhook } from './webhook.schema.ts'
import { type Disabling, disableWebhookRow, lockWebhook, requireWebhook } from './webhook.sql.ts'

export const service: ChangeAuthor = { actor: 'service', source: 'service' }

/** Stops deliveries until somebody enables the webhook; what changes meanwhile is not lost. */
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

/** Stops deliveries to a webhook, and tells why: by an event, and a line of the audit trail. */
export async function disableWebhook(
  tx: Transaction,
  disabling: Disabling,
  author: ChangeAuthor = service,
): Promise<void> {
  const row = await disableWebhookRow(tx, disabling)
  if (row !== undefined) await tellOfWebhook(tx, 'disabled', disabling, author, row)
}

export async function tellOfWebhook(
  tx: Transaction,
  what: 'failing' | 'disabled',
  { projectId, webhookId, reason }: Omit<Disabling, 'reason'> & Partial<Disabling>,
  author: ChangeAuthor,
  { url, failing_since, last_error }: Pick<Webhook, 'url' | 'failing_since' | 'last_error'>,
): Promise<void> {
  const after = { state: what, url, failing_since, last_error, ...(reason && { reason }) }
  await recordEvents(tx, projectId, {
    ...author,
    type: `webhook.${what}`,
    // Whoever reads events need not manage webhooks, and the rest of an address may be a secret.
    objects: [{ id: webhookId, after: { ...after, url: new URL(url).origin } }],
  })
  const action = `webhook.${what === 'failing' ? 'fail' : 'disable'}`
  await recordWebhookAct(tx, { name: author.actor }, action, projectId, webhookId, after)
}
