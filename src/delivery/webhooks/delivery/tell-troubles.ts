import type { Transaction, Writable } from '../../../platform/database/database.ts'
import { disableWebhook, service, tellOfWebhook } from '../disable-webhook.ts'
import type { WebhookLimits } from '../webhook-limits.ts'
import { lockFailing, setTold } from './health.sql.ts'
import { longestGap } from './retry-plan.ts'

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
  await tellOfWebhook(tx, 'failing', failing, service, failing)
  return true
}
