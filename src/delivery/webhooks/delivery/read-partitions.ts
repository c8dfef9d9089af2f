import type { Queryable } from '../../../platform/database/database.ts'
import { type EventBatch, readEvents } from '../../events/read-events.sql.ts'
import { matchingTypes } from '../../events/type-patterns.ts'
import type { WebhookLimits } from '../../limits.ts'
import { partitionCount } from '../partition-progress.sql.ts'
import type { Target } from '../target.sql.ts'
import type { LeasedPartition } from './partition.sql.ts'

/** The events of one partition, and how far the feed was read. */
export type PartitionEvents = Omit<EventBatch, 'partitions'>
type ReadLimits = Pick<WebhookLimits, 'readEvents' | 'readBytes'>

/** Reads the feed once for all partitions at the same position. Positions differ only after a failure or a replay. */
export async function readAhead(
  database: Queryable,
  partitions: readonly LeasedPartition[],
  target: Target,
  limits: ReadLimits,
): Promise<Map<LeasedPartition, PartitionEvents>> {
  const positionOf = ({ progress: { at, replay } }: LeasedPartition) =>
    replay ? '' : `${at.number}/${at.position}`
  const groups = Map.groupBy(partitions, positionOf)
  groups.delete('')
  const [largest] = [...groups.values()].sort((one, other) => other.length - one.length)
  if (largest === undefined || largest.length < 2) return new Map()
  const read = await readPartitionEvents(database, largest, target, limits)
  return new Map(largest.map((partition) => [partition, eventsOfPartition(read, partition.index)]))
}

function eventsOfPartition({ results, partitions, ...read }: EventBatch, index: number): PartitionEvents {
  return { ...read, results: results.filter((_, at) => partitions[at] === index) }
}

function readPartitionEvents(
  database: Queryable,
  partitions: readonly LeasedPartition[],
  { types, scopes }: Target,
  limits: ReadLimits,
): Promise<EventBatch> {
  const [{ projectId, progress }] = partitions as [LeasedPartition, ...LeasedPartition[]]
  return readEvents(database, projectId, {
    // Partitions and feed are in the same database, so there is no epoch to compare.
    after: { epoch: '', key: '', ...progress.at },
    types: types === null ? undefined : matchingTypes(types),
    scopes,
    limit: limits.readEvents,
    mostBytes: limits.readBytes,
    partitions: { numbers: partitions.map(({ index }) => index), count: partitionCount },
  })
}

export async function readPartition(
  database: Queryable,
  partition: LeasedPartition,
  target: Target,
  limits: ReadLimits,
): Promise<PartitionEvents> {
  return readPartitionEvents(database, [partition], target, limits)
}
