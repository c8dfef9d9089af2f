import type { Transaction, Writable } from '../../../platform/database/database.ts'
import { walkInBatches } from '../../../platform/scheduling/walk-in-batches.ts'
import type { WebhookLimits } from '../../limits.ts'
import { disableWebhook, emitWebhookEvent, service } from '../disable-webhook.ts'
import { longestGap } from './attempt-delivery.ts'
import { lockFailingWebhook, setNoticeCount } from './delivery-results.sql.ts'

/** Emits an event when a webhook has failed for an hour, a day and four days; then disables it. */
export async function notifyFailing(
  database: Writable,
  limits: WebhookLimits,
  signal: AbortSignal,
): Promise<void> {
  const notifyOne = (tx: Transaction) => notifyNext(tx, limits)
  await walkInBatches({ signal }, () => database.transaction(notifyOne))
}

/** Returns true if no webhook is due. */
async function notifyNext(tx: Transaction, limits: WebhookLimits): Promise<true | undefined> {
  const { noticeMilliseconds, disableMilliseconds } = limits
  const failing = await lockFailingWebhook(tx, noticeMilliseconds, disableMilliseconds, longestGap(limits))
  if (failing === undefined) return true
  if (failing.failing_milliseconds >= disableMilliseconds) {
    await disableWebhook(tx, { ...failing, reason: 'failing' })
    return undefined
  }
  const notices = noticeMilliseconds.filter((after) => after <= failing.failing_milliseconds).length
  await setNoticeCount(tx, failing, notices)
  await emitWebhookEvent(tx, 'failing', failing, service, failing)
  return undefined
}
