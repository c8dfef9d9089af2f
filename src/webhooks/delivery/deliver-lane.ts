import type { Transaction, Writable } from '../../database/database.ts'
import { type Cursor, parseCursor } from '../../events/cursor.ts'
import type { CatalogEvent } from '../../events/event.schema.ts'
import { type EventsRead, readEvents } from '../../events/read-events.sql.ts'
import { matchingTypes } from '../../events/type-patterns.ts'
import type { TryOutcome } from '../../http/metrics/shared-counters.ts'
import { disableWebhook } from '../disable-webhook.ts'
import type { SecretBox } from '../encrypted-secret.ts'
import { isBehind, lanesOfWebhook, withDelivered } from '../lane-place.ts'
import type { Outcome } from '../post-event.ts'
import { bodyOf } from '../sign-event.ts'
import { secretsOf, type Target, type TargetKey } from '../target.sql.ts'
import type { WebhookSender } from '../webhook-sender.ts'
import type { DeliveryLog } from './delivery-log.ts'
import { noteFailure } from './health.sql.ts'
import { type HeldLane, keepLanes, releaseLane } from './lane.sql.ts'
import { insertParked } from './parked.sql.ts'
import { afterTry, blame, longestGap } from './retry-plan.ts'

export type Tools = {
  box: SecretBox
  sender: WebhookSender
  log: DeliveryLog
  countTry: (outcome: TryOutcome) => void
  findTarget: (key: TargetKey) => Promise<Target | undefined>
}

/** A lane in the hands of this process; `mayGoOn` is false once the lease is lost, or the process ends. */
export type Held = { lane: HeldLane; mayGoOn: () => boolean }

/** Why a lane is not delivered on: it waits for its next event, or it goes on in another turn. */
type End = { hasMore: boolean; pauseMilliseconds: number }
const later: End = { hasMore: true, pauseMilliseconds: 0 }
const atHead: End = { hasMore: false, pauseMilliseconds: 0 }

/** Delivers the events of a lane, one after the other, until there are none, its turn is over, or a try fails. */
export async function deliverLane(database: Writable, tools: Tools, held: Held): Promise<void> {
  const turnEnds = performance.now() + tools.sender.limits.turn
  // At least one event comes in each turn, however long it takes to read.
  do {
    const target = await tools.findTarget(held.lane)
    if (target?.is_open !== true) return letGo(database, tools, held.lane, later)
    const read = await readNext(database, held.lane, target, tools)
    const end = await deliverAll(database, tools, held, read, turnEnds)
    if (end !== undefined) return letGo(database, tools, held.lane, end)
  } while (performance.now() < turnEnds)
  return letGo(database, tools, held.lane, later)
}

function readNext(
  database: Writable,
  { projectId, lane, place }: HeldLane,
  { types, scopes }: Target,
  { sender: { limits } }: Tools,
): Promise<EventsRead> {
  return readEvents(database, projectId, {
    // The lane and the feed are of one database: no epoch has to be compared.
    after: { epoch: '', key: '', ...place.at },
    types: types === null ? undefined : matchingTypes(types),
    scopes,
    limit: limits.eventsRead,
    mostBytes: limits.bytesRead,
    lane: { number: lane, of: lanesOfWebhook },
  })
}

/** Undefined where the lane goes on behind what was read. */
async function deliverAll(
  database: Writable,
  tools: Tools,
  held: Held,
  { results, cursor, head }: EventsRead,
  turnEnds: number,
): Promise<End | undefined> {
  const { lane, mayGoOn } = held
  for (const event of results) {
    const at = placeOfCursor(event.cursor)
    if (isBeyondReplay(lane, at)) return jumpBehindReplay(lane)
    if (!mayGoOn()) return later
    const end = await deliverOne(database, tools, held, event, at)
    if (end !== undefined) return end
    // The last event of a replay: what was read behind it was delivered before.
    if (isBehind(at, lane.place.at)) return undefined
    if (performance.now() > turnEnds) return later
  }
  const readTo = placeOfCursor(cursor)
  const isReplay = lane.place.replay !== undefined
  if (isBehind(lane.place.at, readTo)) lane.place = withDelivered(lane.place, readTo)
  return cursor === head && !isReplay ? atHead : undefined
}

function isBeyondReplay({ place: { replay } }: HeldLane, at: Cursor): boolean {
  return replay !== undefined && isBehind(replay.to, at)
}

function jumpBehindReplay(lane: HeldLane): undefined {
  if (lane.place.replay !== undefined) lane.place = { at: lane.place.replay.resume }
}

function placeOfCursor(text: string): Cursor {
  return parseCursor(text) as Cursor
}

async function deliverOne(
  database: Writable,
  tools: Tools,
  { lane, mayGoOn }: Held,
  event: CatalogEvent,
  at: Cursor,
): Promise<End | undefined> {
  const target = await tools.findTarget(lane)
  if (target?.is_open !== true) return later
  const isWanted = target.types === null || matchingTypes(target.types).includes(event.type)
  const outcome = isWanted ? await tryEvent(tools, lane, target, event, lane.tries + 1) : undefined
  if (outcome === 'secret_unreadable') {
    await database.transaction((tx) => disableWebhook(tx, { ...lane, reason: 'secret_unreadable' }))
    return later
  }
  // The process ends, and hung up itself.
  if (outcome?.status === null && !mayGoOn()) return later
  if (outcome !== undefined && outcome.error !== null)
    return database.transaction((tx) => settleFailure(tx, tools, lane, event, at, outcome))
  lane.tries = 0
  lane.place = withDelivered(lane.place, at)
  return undefined
}

const outcomeOf = { nobody: 'delivered', endpoint: 'failed', event: 'refused', gone: 'gone' } as const

/** One try, signed by the secrets of this moment. */
export async function tryEvent(
  { box, sender, log, countTry }: Tools,
  key: TargetKey,
  target: Target,
  event: CatalogEvent,
  tries: number,
): Promise<Outcome | 'secret_unreadable'> {
  const secrets = await secretsOf(box, target)
  if (secrets === undefined) return 'secret_unreadable'
  const body = bodyOf(event, sender.limits.bodyBytes)
  const outcome = await sender.post({ url: target.url, id: event.id, body, secrets })
  log.add(key, event, tries, outcome)
  countTry(outcomeOf[blame(outcome.status)])
  return outcome
}

/** Undefined where the event is parked, and the lane goes on behind it. Whoever lost the lane changes nothing. */
async function settleFailure(
  tx: Transaction,
  { sender: { limits } }: Tools,
  lane: HeldLane,
  event: CatalogEvent,
  at: Cursor,
  outcome: Outcome,
): Promise<End | undefined> {
  const tries = lane.tries + 1
  const verdict = afterTry(outcome, tries, limits)
  const isParked = verdict.next === 'park'
  const next = isParked
    ? { ...lane, tries: 0, place: withDelivered(lane.place, at) }
    : { ...lane, tries: verdict.next === 'wait' ? tries : 0 }
  if ((await keepLanes(tx, [next], limits.lease)).length === 0) return later
  await noteFailure(tx, lane, outcome.error ?? '', longestGap(limits))
  if (isParked) await insertParked(tx, lane, event, at, tries, outcome)
  if (verdict.next === 'disable') await disableWebhook(tx, { ...lane, reason: 'gone' })
  Object.assign(lane, next)
  return verdict.next === 'wait'
    ? { hasMore: true, pauseMilliseconds: verdict.milliseconds }
    : isParked
      ? undefined
      : later
}

async function letGo(database: Writable, { sender }: Tools, lane: HeldLane, end: End): Promise<void> {
  await database.transaction(async (tx) => {
    await keepLanes(tx, [lane], sender.limits.lease)
    await releaseLane(tx, lane, end)
  })
}
