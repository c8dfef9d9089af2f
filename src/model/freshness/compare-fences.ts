import { fenceLimits } from '../limits/events.ts'
import type { Fence, FenceChange } from './fence.sql.ts'

/** The newest fence of a project that the process has applied to its stored responses. */
export type KnownFence = { identity: string; number: number; key: string | null }

/**
 * What a fence means for responses that were stored at the known one. `lost`: the changes in between are not known, or the database is
 * not the same. `older`: the statement ran before the one of the known fence, but its result arrived later.
 */
export type Comparison = 'lost' | 'older' | { changes: readonly (FenceChange & { number: number })[] }

export function compareFences(known: KnownFence, fence: Fence, identity: string): Comparison {
  const { number, key, since } = fence
  if (identity !== known.identity) return 'lost'
  if ((number ?? 0) < known.number) return 'older'
  if (number === known.number || number === null) return key === known.key ? unchanged : 'lost'
  const newer = since?.filter((change) => change.number > known.number) ?? []
  const at = since?.find((change) => change.number === known.number)
  const isJoined = known.number === 0 ? newer.length <= fenceLimits.feedRows : at?.key === known.key
  return isJoined && newer.length === number - known.number ? { changes: newer.toReversed() } : 'lost'
}

const unchanged: Comparison = { changes: [] }

/** What must be the same for a stored response to be valid: the database, the project's settings, and its changes without an event. */
export function identityOf(
  { ruleset, currency }: { ruleset: number; currency: string },
  { server, unrecorded }: Fence,
): string {
  return `${server} ${unrecorded} ${ruleset} ${currency}`
}
