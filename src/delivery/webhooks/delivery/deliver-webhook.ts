import { type Cursor, parseCursor } from '../../../model/events/cursor.ts'
import type { Transaction, Writable } from '../../../platform/database/database.ts'
import type { JobResult, RunningJob } from '../../../platform/jobs/job.ts'
import { limitConcurrency } from '../../../platform/scheduling/concurrency-limit.ts'
import type { CatalogEvent } from '../../events/event.schema.ts'
import { matchingTypes } from '../../events/type-patterns.ts'
import { disableWebhook } from '../disable-webhook.ts'
import { isBefore, withDelivered } from '../partition-progress.sql.ts'
import type { DeliveryResult } from '../webhook-sender.ts'
import { attemptDelivery, longestGap, planNextStep, type Tools, type Turn } from './attempt-delivery.ts'
import { deliverRetries } from './deliver-retries.ts'
import { insertFailedDelivery, recordWebhookFailure } from './delivery-results.sql.ts'
import {
  type LeasedPartition,
  leasePartitions,
  type PartitionResult,
  releasePartitions,
  savePartitions,
} from './partition.sql.ts'
import { type PartitionEvents, readAhead, readPartition } from './read-partitions.ts'

/** Delivers the events of a webhook, several partitions at once, until no event is left, its turn ends, or the rest has to wait. */
export async function deliverWebhook(database: Writable, tools: Tools, job: RunningJob): Promise<JobResult> {
  const webhookId = Number(job.key)
  const { limits } = tools.sender
  if (!(await tools.sender.isSafe())) return 'done'
  const target = await tools.findTarget({ projectId: job.projectId, webhookId })
  // The job is requested again when the webhook is enabled or its project regains API access.
  if (target?.is_open !== true) return 'done'
  const { due, hasRetries } = await leasePartitions(database, job, webhookId)
  const turn = { endsAt: performance.now() + limits.turnMilliseconds, signal: job.signal }
  for (const partition of due) tools.leased.add(partition)
  try {
    const ahead = await readAhead(database, due, target, limits)
    const posts = limitConcurrency({ most: limits.partitionsAtOnce, maxWaitSeconds: 0 })
    const [hasMoreRetries, ends] = await Promise.all([
      hasRetries && deliverRetries(database, tools, { projectId: job.projectId, webhookId }, turn),
      Promise.all(
        due.map((partition) =>
          posts.run(() => deliverPartition(database, tools, partition, ahead.get(partition), turn)),
        ),
      ),
    ])
    return await release(database, job, webhookId, due, ends, hasMoreRetries)
  } finally {
    for (const partition of due) tools.leased.delete(partition)
  }
}

async function release(
  database: Writable,
  job: RunningJob,
  webhookId: number,
  partitions: readonly LeasedPartition[],
  ends: readonly PartitionResult[],
  hasMoreRetries: boolean,
): Promise<JobResult> {
  const ended = partitions.map((partition, index) => ({ ...partition, ...(ends[index] as PartitionResult) }))
  const pause = await releasePartitions(database, job, webhookId, ended)
  if (hasMoreRetries) return { againInMilliseconds: 0 }
  return pause === undefined ? 'done' : { againInMilliseconds: pause }
}

const toBeContinued: PartitionResult = { hasMore: true, pauseMilliseconds: 0 }
const atHead: PartitionResult = { hasMore: false, pauseMilliseconds: 0 }

/** Delivers the events of a partition one after the other, until no event is left, its turn ends, or an attempt fails. */
async function deliverPartition(
  database: Writable,
  tools: Tools,
  partition: LeasedPartition,
  ahead: PartitionEvents | undefined,
  turn: Turn,
): Promise<PartitionResult> {
  let read = ahead
  // Each turn delivers at least one event, however long the read takes.
  do {
    if (read === undefined) {
      const target = await tools.findTarget(partition)
      if (target?.is_open !== true) return toBeContinued
      read = await readPartition(database, partition, target, tools.sender.limits)
    }
    const end = await deliverAll(database, tools, partition, read, turn)
    if (end !== undefined) return end
    read = undefined
  } while (performance.now() < turn.endsAt)
  return toBeContinued
}

/** Undefined if the partition continues after the events that were read. */
async function deliverAll(
  database: Writable,
  tools: Tools,
  partition: LeasedPartition,
  { results, cursor, head }: PartitionEvents,
  { endsAt, signal }: Turn,
): Promise<PartitionResult | undefined> {
  const leaseIsValid = () => !signal.aborted && tools.leased.has(partition)
  for (const event of results) {
    const at = positionOfCursor(event.cursor)
    if (isAfterReplay(partition, at)) return endReplay(partition)
    if (!leaseIsValid()) return toBeContinued
    const end = await deliverOne(database, tools, partition, event, at, leaseIsValid)
    if (end !== undefined) return end
    // This was the last event of a replay. The events read after it are already delivered.
    if (isBefore(at, partition.progress.at)) return undefined
    if (performance.now() > endsAt) return toBeContinued
  }
  const readTo = positionOfCursor(cursor)
  const isReplay = partition.progress.replay !== undefined
  if (isBefore(partition.progress.at, readTo)) partition.progress = withDelivered(partition.progress, readTo)
  return cursor === head && !isReplay ? atHead : undefined
}

function isAfterReplay({ progress: { replay } }: LeasedPartition, at: Cursor): boolean {
  return replay !== undefined && isBefore(replay.to, at)
}

function endReplay(partition: LeasedPartition): undefined {
  if (partition.progress.replay !== undefined) partition.progress = { at: partition.progress.replay.resume }
}

function positionOfCursor(text: string): Cursor {
  return parseCursor(text) as Cursor
}

/** Undefined if the event was delivered or has no retries left: the partition continues after it. */
async function deliverOne(
  database: Writable,
  tools: Tools,
  partition: LeasedPartition,
  event: CatalogEvent,
  at: Cursor,
  leaseIsValid: () => boolean,
): Promise<PartitionResult | undefined> {
  const target = await tools.findTarget(partition)
  if (target?.is_open !== true) return toBeContinued
  const isSubscribed = target.types === null || matchingTypes(target.types).includes(event.type)
  const result = isSubscribed
    ? await attemptDelivery(tools, partition, target, event, partition.tries + 1)
    : undefined
  if (result === 'secret_unreadable') {
    await database.transaction((tx) => disableWebhook(tx, { ...partition, reason: 'secret_unreadable' }))
    return toBeContinued
  }
  // This process is stopping and closed the connection itself.
  if (result?.status === null && !leaseIsValid()) return toBeContinued
  if (result !== undefined && result.error !== null) {
    const handled = await database.transaction((tx) => handleFailure(tx, tools, partition, event, at, result))
    // Moves on only after the commit: otherwise a rollback would skip the event.
    Object.assign(partition, handled.partition)
    return handled.end
  }
  partition.tries = 0
  partition.progress = withDelivered(partition.progress, at)
  return undefined
}

type HandledFailure = { partition: LeasedPartition; end: PartitionResult | undefined }

/** Changes nothing if another process took the partition. */
async function handleFailure(
  tx: Transaction,
  { sender: { limits } }: Tools,
  partition: LeasedPartition,
  event: CatalogEvent,
  at: Cursor,
  result: DeliveryResult,
): Promise<HandledFailure> {
  const tries = partition.tries + 1
  const step = planNextStep(result, tries, limits)
  const isGivenUp = step.next === 'give_up'
  const next = isGivenUp
    ? { ...partition, tries: 0, progress: withDelivered(partition.progress, at) }
    : { ...partition, tries: step.next === 'wait' ? tries : 0 }
  if ((await savePartitions(tx, [next])).length === 0) return { partition, end: toBeContinued }
  await recordWebhookFailure(tx, partition, result.error ?? '', longestGap(limits))
  if (isGivenUp) await insertFailedDelivery(tx, partition, event, at, tries, result)
  if (step.next === 'disable') await disableWebhook(tx, { ...partition, reason: 'gone' })
  if (isGivenUp) return { partition: next, end: undefined }
  const end = step.next === 'wait' ? { hasMore: true, pauseMilliseconds: step.milliseconds } : toBeContinued
  return { partition: next, end }
}
