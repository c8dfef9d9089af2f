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
