import type { Transaction, Writable } from '../../../platform/database/database.ts'
import { readEvents } from '../../events/read-events.sql.ts'
import { disableWebhook } from '../disable-webhook.ts'
import type { TargetKey } from '../target.sql.ts'
import type { DeliveryResult } from '../webhook-sender.ts'
import { attemptDelivery, classifyResponse, longestGap, type Tools, type Turn } from './attempt-delivery.ts'
import {
  deleteFailedDelivery,
  type FailedDelivery,
  findPendingRetry,
  recordFailedRetry,
  recordWebhookFailure,
} from './delivery-results.sql.ts'

/** Retries the requested failed deliveries of a webhook, oldest first and each once. Returns whether some are left. */
export async function deliverRetries(
  database: Writable,
  tools: Tools,
  key: TargetKey,
  turn: Turn,
): Promise<boolean> {
  do {
    const failed = await findPendingRetry(database, key)
    if (failed === undefined) return false
    if (!(await retry(database, tools, failed, turn.signal))) return false
  } while (performance.now() < turn.endsAt)
  return true
}

/** Returns whether the webhook can receive another event. */
async function retry(
  database: Writable,
  tools: Tools,
  failed: FailedDelivery,
  signal: AbortSignal,
): Promise<boolean> {
  const target = await tools.findTarget(failed)
  if (target?.is_open !== true || signal.aborted) return false
  const { results } = await readEvents(database, failed.projectId, {
    after: { epoch: '', key: '', number: failed.number, position: failed.position - 1 },
    types: undefined,
    scopes: target.scopes,
    limit: 1,
    mostBytes: tools.sender.limits.readBytes,
  })
  const event = results.find(({ id }) => id === failed.event_id)
  if (event === undefined) {
    await database.transaction((tx) => deleteFailedDelivery(tx, failed))
    return true
  }
  const result = await attemptDelivery(tools, failed, target, event, failed.tries + 1)
  // This process is stopping and closed the connection itself; another process retries the event.
  if (result !== 'secret_unreadable' && result.status === null && signal.aborted) return false
  await database.transaction((tx) => handleResult(tx, tools, failed, result))
  return true
}

async function handleResult(
  tx: Transaction,
  { sender: { limits } }: Tools,
  failed: FailedDelivery,
  result: DeliveryResult | 'secret_unreadable',
): Promise<void> {
  if (result === 'secret_unreadable') return disableWebhook(tx, { ...failed, reason: result })
  if (result.error === null) return deleteFailedDelivery(tx, failed)
  // Locks the webhook before its event, in the same order as a request to retry events.
  await recordWebhookFailure(tx, failed, result.error, longestGap(limits))
  await recordFailedRetry(tx, failed, result)
  if (classifyResponse(result.status) === 'gone') await disableWebhook(tx, { ...failed, reason: 'gone' })
}
