import type { Transaction, Writable } from '../../../platform/database/database.ts'
import { walkInBatches } from '../../../platform/scheduling/walk-in-batches.ts'
import type { WebhookLimits } from '../../limits.ts'
import { disableWebhook, service, tellOfWebhook } from '../disable-webhook.ts'
import { lockFailing, setTold } from './outcomes.sql.ts'
import { longestGap } from './try-event.ts'

/** Tells of webhooks that fail since an hour, a day, four days; in the end disables them. */
export async function tellTroubles(
  database: Writable,
  limits: WebhookLimits,
  signal: AbortSignal,
): Promise<void> {
  const tellOne = (tx: Transaction) => tellNext(tx, limits)
  await walkInBatches({ signal }, () => database.transaction(tellOne))
}

/** Returns true if there was none. */
async function tellNext(tx: Transaction, limits: WebhookLimits): Promise<true | undefined> {
  const { noticeMilliseconds, disableMilliseconds } = limits
  const failing = await lockFailing(tx, noticeMilliseconds, disableMilliseconds, longestGap(limits))
  if (failing === undefined) return true
  if (failing.failing_milliseconds >= disableMilliseconds) {
    await disableWebhook(tx, { ...failing, reason: 'failing' })
    return undefined
  }
  const told = noticeMilliseconds.filter((after) => after <= failing.failing_milliseconds).length
  await setTold(tx, failing, told)
  await tellOfWebhook(tx, 'failing', failing, service, failing)
  return undefined
}
