import { type Cursor, parseCursor } from '../../../model/events/cursor.ts'
import type { Transaction, Writable } from '../../../platform/database/database.ts'
import type { JobResult, RunningJob } from '../../../platform/jobs/job.ts'
import { limitConcurrency } from '../../../platform/scheduling/concurrency-limit.ts'
import type { CatalogEvent } from '../../events/event.schema.ts'
import { matchingTypes } from '../../events/type-patterns.ts'
import { disableWebhook } from '../disable-webhook.ts'
import { isBehind, withDelivered } from '../lane-place.sql.ts'
import type { Outcome } from '../webhook-sender.ts'
import { deliverParked } from './deliver-parked.ts'
import { type HeldLane, keepLanes, type LaneEnd, releaseLanes, takeLanes } from './lane.sql.ts'
import { insertParked, noteFailure } from './outcomes.sql.ts'
import { type ReadLane, readAhead, readLane } from './read-lanes.ts'
import { afterTry, longestGap, type Tools, type Turn, tryEvent } from './try-event.ts'

/** Delivers the events of a webhook, several lanes at once, until none is left, its turn is over, or the rest has to wait. */
export async function deliverWebhook(database: Writable, tools: Tools, job: RunningJob): Promise<JobResult> {
  const webhookId = Number(job.key)
  const { limits } = tools.sender
  if (!(await tools.sender.isSafe())) return 'done'
  const target = await tools.findTarget({ projectId: job.projectId, webhookId })
  // Enabling the webhook, or restoring the API access of its project, requests the job again.
  if (target?.is_open !== true) return 'done'
  const { due, hasRetries } = await takeLanes(database, job, webhookId)
  const turn = { endsAt: performance.now() + limits.turnMilliseconds, signal: job.signal }
  for (const lane of due) tools.held.add(lane)
  try {
    const ahead = await readAhead(database, due, target, limits)
    const posts = limitConcurrency({ most: limits.lanesAtOnce, patienceSeconds: 0 })
    const [hasMoreRetries, ends] = await Promise.all([
      hasRetries && deliverParked(database, tools, { projectId: job.projectId, webhookId }, turn),
      Promise.all(
        due.map((lane) => posts.run(() => deliverLane(database, tools, lane, ahead.get(lane), turn))),
      ),
    ])
    return await release(database, job, webhookId, due, ends, hasMoreRetries)
  } finally {
    for (const lane of due) tools.held.delete(lane)
  }
}

async function release(
  database: Writable,
  job: RunningJob,
  webhookId: number,
  lanes: readonly HeldLane[],
  ends: readonly LaneEnd[],
  hasMoreRetries: boolean,
): Promise<JobResult> {
  const ended = lanes.map((lane, index) => ({ ...lane, ...(ends[index] as LaneEnd) }))
  const pause = await releaseLanes(database, job, webhookId, ended)
  if (hasMoreRetries) return { againInMilliseconds: 0 }
  return pause === undefined ? 'done' : { againInMilliseconds: pause }
}

const later: LaneEnd = { hasMore: true, pauseMilliseconds: 0 }
const atHead: LaneEnd = { hasMore: false, pauseMilliseconds: 0 }

/** Delivers the events of a lane, one after the other, until there are none, its turn is over, or a try fails. */
async function deliverLane(
  database: Writable,
  tools: Tools,
  lane: HeldLane,
  ahead: ReadLane | undefined,
  turn: Turn,
): Promise<LaneEnd> {
  let read = ahead
  // At least one event comes in each turn, however long it takes to read.
  do {
    if (read === undefined) {
      const target = await tools.findTarget(lane)
      if (target?.is_open !== true) return later
      read = await readLane(database, lane, target, tools.sender.limits)
    }
    const end = await deliverAll(database, tools, lane, read, turn)
    if (end !== undefined) return end
    read = undefined
  } while (performance.now() < turn.endsAt)
  return later
}

/** Undefined if the lane continues after the events that were read. */
async function deliverAll(
  database: Writable,
  tools: Tools,
  lane: HeldLane,
  { results, cursor, head }: ReadLane,
  { endsAt, signal }: Turn,
): Promise<LaneEnd | undefined> {
  const isHeld = () => !signal.aborted && tools.held.has(lane)
  for (const event of results) {
    const at = placeOfCursor(event.cursor)
    if (isBeyondReplay(lane, at)) return jumpBehindReplay(lane)
    if (!isHeld()) return later
    const end = await deliverOne(database, tools, lane, event, at, isHeld)
    if (end !== undefined) return end
    // The last event of a replay: what was read behind it was delivered before.
    if (isBehind(at, lane.place.at)) return undefined
    if (performance.now() > endsAt) return later
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

/** Undefined if the event was delivered or given up, so that the lane continues after it. */
async function deliverOne(
  database: Writable,
  tools: Tools,
  lane: HeldLane,
  event: CatalogEvent,
  at: Cursor,
  isHeld: () => boolean,
): Promise<LaneEnd | undefined> {
  const target = await tools.findTarget(lane)
  if (target?.is_open !== true) return later
  const isWanted = target.types === null || matchingTypes(target.types).includes(event.type)
  const outcome = isWanted ? await tryEvent(tools, lane, target, event, lane.tries + 1) : undefined
  if (outcome === 'secret_unreadable') {
    await database.transaction((tx) => disableWebhook(tx, { ...lane, reason: 'secret_unreadable' }))
    return later
  }
  // The stopping process closed the connection itself.
  if (outcome?.status === null && !isHeld()) return later
  if (outcome !== undefined && outcome.error !== null) {
    const settled = await database.transaction((tx) => settleFailure(tx, tools, lane, event, at, outcome))
    // Only what is committed counts: a lane that moved on before would skip an event that was not kept.
    Object.assign(lane, settled.lane)
    return settled.end
  }
  lane.tries = 0
  lane.place = withDelivered(lane.place, at)
  return undefined
}

type Settled = { lane: HeldLane; end: LaneEnd | undefined }

/** Changes nothing if another process took the lane. */
async function settleFailure(
  tx: Transaction,
  { sender: { limits } }: Tools,
  lane: HeldLane,
  event: CatalogEvent,
  at: Cursor,
  outcome: Outcome,
): Promise<Settled> {
  const tries = lane.tries + 1
  const verdict = afterTry(outcome, tries, limits)
  const isParked = verdict.next === 'park'
  const next = isParked
    ? { ...lane, tries: 0, place: withDelivered(lane.place, at) }
    : { ...lane, tries: verdict.next === 'wait' ? tries : 0 }
  if ((await keepLanes(tx, [next])).length === 0) return { lane, end: later }
  await noteFailure(tx, lane, outcome.error ?? '', longestGap(limits))
  if (isParked) await insertParked(tx, lane, event, at, tries, outcome)
  if (verdict.next === 'disable') await disableWebhook(tx, { ...lane, reason: 'gone' })
  if (isParked) return { lane: next, end: undefined }
  const end = verdict.next === 'wait' ? { hasMore: true, pauseMilliseconds: verdict.milliseconds } : later
  return { lane: next, end }
}
