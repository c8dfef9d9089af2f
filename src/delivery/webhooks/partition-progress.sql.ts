import type { Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export const partitionCount = 8

/** A position in the feed: everything up to and including this event is delivered. */
export type FeedPosition = { number: number; position: number }

/** How far a partition is delivered. During a replay: where the replay ends, and where the partition resumes afterwards. */
export type PartitionProgress = { at: FeedPosition; replay?: { to: FeedPosition; resume: FeedPosition } }

export function isBefore(one: FeedPosition, other: FeedPosition): boolean {
  return one.number < other.number || (one.number === other.number && one.position < other.position)
}

/**
 * Moves a partition back so that the events between the two positions are delivered again, before any newer event. A replay in
 * progress is not cut short.
 */
export function withReplay(
  progress: PartitionProgress,
  from: FeedPosition,
  to: FeedPosition | undefined,
): PartitionProgress {
  const { replay } = progress
  const delivered = replay?.resume ?? progress.at
  if (!isBefore(from, delivered)) return progress
  const at = isBefore(from, progress.at) ? from : progress.at
  const end = to !== undefined && replay !== undefined && isBefore(to, replay.to) ? replay.to : to
  if (end === undefined || !isBefore(end, delivered)) return { at }
  return { at, replay: { to: end, resume: delivered } }
}

/** The progress after everything up to a position is delivered. */
export function withDelivered({ replay }: PartitionProgress, at: FeedPosition): PartitionProgress {
  if (replay === undefined) return { at }
  return isBefore(at, replay.to) ? { at, replay } : { at: replay.resume }
}

export async function insertPartitions(
  tx: Transaction,
  projectId: number,
  id: number,
  from: FeedPosition,
): Promise<void> {
  await tx.query(sql`
    insert into webhook_lanes (project_id, webhook_id, lane, number, position)
    select ${projectId}, ${id}, lane, ${from.number}, ${from.position} from generate_series(0, ${partitionCount - 1}) as lane`)
}

type Row = {
  lane: number
  number: number
  position: number
  replay_number: number | null
  replay_position: number | null
  resume_number: number | null
  resume_position: number | null
}

/** Locks the partitions until the transaction ends. Always lock partitions before their webhook, as deliveries do. */
export async function lockPartitions(
  tx: Transaction,
  projectId: number,
  id: number,
): Promise<({ index: number } & PartitionProgress)[]> {
  const rows = await tx.query(sql<Row>`
    select lane, number, position, replay_number, replay_position, resume_number, resume_position
    from webhook_lanes where project_id = ${projectId} and webhook_id = ${id} order by lane for update`)
  return rows.map((row) => ({ index: row.lane, ...readProgress(row) }))
}

export function readProgress(row: Omit<Row, 'lane'>): PartitionProgress {
  const { number, position, replay_number, replay_position, resume_number, resume_position } = row
  return {
    at: { number, position },
    ...(replay_number !== null &&
      resume_number !== null && {
        replay: {
          to: { number: replay_number, position: replay_position ?? 0 },
          resume: { number: resume_number, position: resume_position ?? 0 },
        },
      }),
  }
}

/** Ends the lease of the partition, so that delivery restarts at the new position at once. */
export async function movePartition(
  tx: Transaction,
  projectId: number,
  id: number,
  index: number,
  { at, replay }: PartitionProgress,
): Promise<void> {
  await tx.query(sql`
    update webhook_lanes
    set number = ${at.number}, position = ${at.position}, has_more = true, tries = 0, first_failed_at = null,
        replay_number = ${replay?.to.number ?? null}, replay_position = ${replay?.to.position ?? null},
        resume_number = ${replay?.resume.number ?? null}, resume_position = ${replay?.resume.position ?? null},
        next_try_at = now(), leased_by = null
    where project_id = ${projectId} and webhook_id = ${id} and lane = ${index}`)
}

/** Ends the leases, and makes partitions that wait for a retry due at once, with a new count of attempts. */
export async function resetRetries(tx: Transaction, projectId: number, id: number): Promise<void> {
  await tx.query(sql`
    update webhook_lanes
    set leased_by = null, has_more = true, tries = 0, first_failed_at = null,
        next_try_at = case when tries > 0 then now() else next_try_at end
    where project_id = ${projectId} and webhook_id = ${id}`)
}
