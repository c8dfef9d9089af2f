import type { Transaction, Writable } from '../../database/database.ts'
import { readEvents } from '../../events/read-events.sql.ts'
import { disableWebhook } from '../disable-webhook.ts'
import type { Outcome } from '../post-event.ts'
import { type Tools, tryEvent } from './deliver-lane.ts'
import { noteFailure } from './health.sql.ts'
import { deleteParked, keepParked, type ParkedEvent } from './parked.sql.ts'
import { blame, longestGap } from './retry-plan.ts'

/** Tries a parked event again that somebody has asked for, once. */
export async function deliverParked(
  database: Writable,
  tools: Tools,
  parked: ParkedEvent,
  mayGoOn: () => boolean,
): Promise<void> {
  const target = await tools.findTarget(parked)
  if (target?.is_open !== true) return
  const { results } = await readEvents(database, parked.projectId, {
    after: { epoch: '', key: '', number: parked.number, position: parked.position - 1 },
    types: undefined,
    scopes: target.scopes,
    limit: 1,
    mostBytes: tools.sender.limits.bytesRead,
  })
  const event = results.find(({ id }) => id === parked.event_id)
  if (event === undefined) return database.transaction((tx) => deleteParked(tx, parked))
  const outcome = await tryEvent(tools, parked, target, event, parked.tries + 1)
  // The process ends, and hung up itself: another one tries it.
  if (outcome !== 'secret_unreadable' && outcome.status === null && !mayGoOn()) return
  await database.transaction((tx) => settle(tx, tools, parked, outcome))
}

async function settle(
  tx: Transaction,
  { sender: { limits } }: Tools,
  parked: ParkedEvent,
  outcome: Outcome | 'secret_unreadable',
): Promise<void> {
  if (outcome === 'secret_unreadable') return disableWebhook(tx, { ...parked, reason: outcome })
  if (outcome.error === null) return deleteParked(tx, parked)
  // The webhook before its event, as whoever lets events be tried again locks them.
  await noteFailure(tx, parked, outcome.error, longestGap(limits))
  await keepParked(tx, parked, outcome)
  if (blame(outcome.status) === 'gone') await disableWebhook(tx, { ...parked, reason: 'gone' })
}
