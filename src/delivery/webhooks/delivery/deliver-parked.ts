import type { Transaction, Writable } from '../../../platform/database/database.ts'
import { readEvents } from '../../events/read-events.sql.ts'
import { disableWebhook } from '../disable-webhook.ts'
import type { TargetKey } from '../target.sql.ts'
import type { Outcome } from '../webhook-sender.ts'
import { deleteParked, findRetry, keepParked, noteFailure, type ParkedEvent } from './outcomes.sql.ts'
import { blame, longestGap, type Tools, type Turn, tryEvent } from './try-event.ts'

/** Tries the requested parked events of a webhook again, the oldest first and each once. Returns whether some are left. */
export async function deliverParked(
  database: Writable,
  tools: Tools,
  key: TargetKey,
  turn: Turn,
): Promise<boolean> {
  do {
    const parked = await findRetry(database, key)
    if (parked === undefined) return false
    if (!(await retry(database, tools, parked, turn.signal))) return false
  } while (performance.now() < turn.endsAt)
  return true
}

/** Returns whether the webhook can take another event. */
async function retry(
  database: Writable,
  tools: Tools,
  parked: ParkedEvent,
  signal: AbortSignal,
): Promise<boolean> {
  const target = await tools.findTarget(parked)
  if (target?.is_open !== true || signal.aborted) return false
  const { results } = await readEvents(database, parked.projectId, {
    after: { epoch: '', key: '', number: parked.number, position: parked.position - 1 },
    types: undefined,
    scopes: target.scopes,
    limit: 1,
    mostBytes: tools.sender.limits.readBytes,
  })
  const event = results.find(({ id }) => id === parked.event_id)
  if (event === undefined) {
    await database.transaction((tx) => deleteParked(tx, parked))
    return true
  }
  const outcome = await tryEvent(tools, parked, target, event, parked.tries + 1)
  // The stopping process closed the connection itself; another process tries the event again.
  if (outcome !== 'secret_unreadable' && outcome.status === null && signal.aborted) return false
  await database.transaction((tx) => settle(tx, tools, parked, outcome))
  return true
}

async function settle(
  tx: Transaction,
  { sender: { limits } }: Tools,
  parked: ParkedEvent,
  outcome: Outcome | 'secret_unreadable',
): Promise<void> {
  if (outcome === 'secret_unreadable') return disableWebhook(tx, { ...parked, reason: outcome })
  if (outcome.error === null) return deleteParked(tx, parked)
  // Locks the webhook before its event, in the same order as a request to retry events.
  await noteFailure(tx, parked, outcome.error, longestGap(limits))
  await keepParked(tx, parked, outcome)
  if (blame(outcome.status) === 'gone') await disableWebhook(tx, { ...parked, reason: 'gone' })
}
