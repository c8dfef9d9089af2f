import type { Transaction, Writable } from '../../database/database.ts'
import { recordEvents } from '../../events/record-events.sql.ts'
import { recordWebhookAct } from '../manage-webhook.ts'
import type { WebhookLimits } from '../webhook-limits.ts'
import { type DisabledRow, type Disabling, disableWebhookRow, lockFailing, setTold } from './health.sql.ts'
import { longestGap } from './retry-plan.ts'

const service = { name: 'service' }

/** Stops deliveries to a webhook, and tells why: by an event, and a line of the audit trail. */
export async function disableWebhook(tx: Transaction, disabling: Disabling): Promise<void> {
  const row = await disableWebhookRow(tx, disabling)
  if (row !== undefined) await tell(tx, 'disabled', disabling, row, { reason: disabling.reason })
}

/** Tells of webhooks that fail since an hour, a day, four days; in the end disables them. */
export async function tellTroubles(
  database: Writable,
  limits: WebhookLimits,
  signal: AbortSignal,
): Promise<void> {
  const tellOne = (tx: Transaction) => tellNext(tx, limits)
  while (!signal.aborted && (await database.transaction(tellOne))) {
    // The next one.
  }
}

async function tellNext(tx: Transaction, limits: WebhookLimits): Promise<boolean> {
  const { tellAfter, disableAfter } = limits
  const failing = await lockFailing(tx, tellAfter, disableAfter, longestGap(limits))
  if (failing === undefined) return false
  if (failing.failing_milliseconds >= disableAfter) {
    await disableWebhook(tx, { ...failing, reason: 'failing' })
    return true
  }
  const told = tellAfter.filter((after) => after <= failing.failing_milliseconds).length
  await setTold(tx, failing, told)
  await tell(tx, 'failing', failing, failing, {})
  return true
}

async function tell(
  tx: Transaction,
  what: 'failing' | 'disabled',
  { projectId, webhookId }: { projectId: number; webhookId: number },
  { url, failing_since, last_error }: DisabledRow,
  more: object,
): Promise<void> {
  const after = { state: what, url, failing_since, last_error, ...more }
  await recordEvents(tx, projectId, {
    type: `webhook.${what}`,
    actor: service.name,
    source: 'service',
    objects: [{ id: webhookId, after }],
  })
  await recordWebhookAct(
    tx,
    service,
    `webhook.${what === 'failing' ? 'fail' : 'disable'}`,
    projectId,
    webhookId,
    after,
  )
}
