import type { Queryable } from '../../../platform/database/database.ts'
import { type EventsRead, readEvents } from '../../events/read-events.sql.ts'
import { matchingTypes } from '../../events/type-patterns.ts'
import type { WebhookLimits } from '../../limits.ts'
import { lanesOfWebhook } from '../lane-place.sql.ts'
import type { Target } from '../target.sql.ts'
import type { HeldLane } from './lane.sql.ts'

/** What was read for one lane: its events, and how far the feed was read. */
export type ReadLane = Omit<EventsRead, 'lanes'>
type ReadLimits = Pick<WebhookLimits, 'readEvents' | 'readBytes'>

/** Reads once for all lanes at the same place of the feed. Lanes differ only after a failure or a replay. */
export async function readAhead(
  database: Queryable,
  lanes: readonly HeldLane[],
  target: Target,
  limits: ReadLimits,
): Promise<Map<HeldLane, ReadLane>> {
  const placeOf = ({ place: { at, replay } }: HeldLane) => (replay ? '' : `${at.number}/${at.position}`)
  const groups = Map.groupBy(lanes, placeOf)
  groups.delete('')
  const [largest] = [...groups.values()].sort((one, other) => other.length - one.length)
  if (largest === undefined || largest.length < 2) return new Map()
  const read = await readLanes(database, largest, target, limits)
  return new Map(largest.map((lane) => [lane, ofLane(read, lane.lane)]))
}

function ofLane({ results, lanes, ...read }: EventsRead, lane: number): ReadLane {
  return { ...read, results: results.filter((_, index) => lanes[index] === lane) }
}

function readLanes(
  database: Queryable,
  lanes: readonly HeldLane[],
  { types, scopes }: Target,
  limits: ReadLimits,
): Promise<EventsRead> {
  const [{ projectId, place }] = lanes as [HeldLane, ...HeldLane[]]
  return readEvents(database, projectId, {
    // The lanes and the feed are in the same database, so no epoch needs to be compared.
    after: { epoch: '', key: '', ...place.at },
    types: types === null ? undefined : matchingTypes(types),
    scopes,
    limit: limits.readEvents,
    mostBytes: limits.readBytes,
    lanes: { numbers: lanes.map(({ lane }) => lane), of: lanesOfWebhook },
  })
}

export async function readLane(
  database: Queryable,
  lane: HeldLane,
  target: Target,
  limits: ReadLimits,
): Promise<ReadLane> {
  return readLanes(database, [lane], target, limits)
}
