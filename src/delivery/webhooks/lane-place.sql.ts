import type { Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export const lanesOfWebhook = 8

/** An event of the feed: everything up to and with it is delivered. */
export type Place = { number: number; position: number }

/** Where a lane is; during a replay, up to where it goes and from where it goes on then. */
export type LanePlace = { at: Place; replay?: { to: Place; resume: Place } }

export function isBehind(one: Place, other: Place): boolean {
  return one.number < other.number || (one.number === other.number && one.position < other.position)
}

/**
 * The lane with what lies between the two places to be delivered again, in order: nothing after it overtakes. What the lane has not
 * delivered yet comes anyway. Another replay that is under way is not cut short.
 */
export function withReplay(lane: LanePlace, from: Place, to: Place | undefined): LanePlace {
  const delivered = lane.replay?.resume ?? lane.at
  if (!isBehind(from, delivered)) return lane
  const at = isBehind(from, lane.at) ? from : lane.at
  const end =
    to !== undefined && lane.replay !== undefined && isBehind(to, lane.replay.to) ? lane.replay.to : to
  if (end === undefined || !isBehind(end, delivered)) return { at }
  return { at, replay: { to: end, resume: delivered } }
}

/** The lane after everything up to a place was delivered. */
export function withDelivered({ replay }: LanePlace, at: Place): LanePlace {
  if (replay === undefined) return { at }
  return isBehind(at, replay.to) ? { at, replay } : { at: replay.resume }
}

export async function insertLanes(
  tx: Transaction,
  projectId: number,
  id: number,
  from: Place,
): Promise<void> {
  await tx.query(sql`
    insert into webhook_lanes (project_id, webhook_id, lane, number, position)
    select ${projectId}, ${id}, lane, ${from.number}, ${from.position} from generate_series(0, ${lanesOfWebhook - 1}) as lane`)
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

/** Where each lane is. They stay so until the transaction ends. Deliveries lock lanes before their webhook, and so must others. */
export async function lockLanes(
  tx: Transaction,
  projectId: number,
  id: number,
): Promise<({ lane: number } & LanePlace)[]> {
  const rows = await tx.query(sql<Row>`
    select lane, number, position, replay_number, replay_position, resume_number, resume_position
    from webhook_lanes where project_id = ${projectId} and webhook_id = ${id} order by lane for update`)
  return rows.map((row) => ({ lane: row.lane, ...placeOf(row) }))
}

export function placeOf(row: Omit<Row, 'lane'>): LanePlace {
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

/** Whoever delivers the lane loses it, and the next begins at the new place at once. */
export async function moveLane(
  tx: Transaction,
  projectId: number,
  id: number,
  lane: number,
  { at, replay }: LanePlace,
): Promise<void> {
  await tx.query(sql`
    update webhook_lanes
    set number = ${at.number}, position = ${at.position}, has_more = true, tries = 0, first_failed_at = null,
        replay_number = ${replay?.to.number ?? null}, replay_position = ${replay?.to.position ?? null},
        resume_number = ${replay?.resume.number ?? null}, resume_position = ${replay?.resume.position ?? null},
        next_try_at = now(), leased_by = null
    where project_id = ${projectId} and webhook_id = ${id} and lane = ${lane}`)
}

/** Lanes that wait for another try of their next event are due at once, and that try is the first. A process that delivers them loses them. */
export async function endPauses(tx: Transaction, projectId: number, id: number): Promise<void> {
  await tx.query(sql`
    update webhook_lanes
    set leased_by = null, has_more = true, tries = 0, first_failed_at = null,
        next_try_at = case when tries > 0 then now() else next_try_at end
    where project_id = ${projectId} and webhook_id = ${id}`)
}
