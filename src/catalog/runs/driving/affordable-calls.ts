/** What is left of a budget, in millionths: without and with what is reserved. Null: there is no limit. */
export type Room = { unspent: bigint; free: bigint } | null

type Afford =
  | { take: number }
  /** Other calls hold reservations that may become free. */
  | { wait: true }
  | { stop: 'run_budget' | 'month_budget' }

/**
 * How many of the next calls can start. If not all of them fit, calls run one at a time: each settles for less than its worst case,
 * and what is left may suffice for the next one.
 */
export function affordableCalls(
  worst: readonly bigint[],
  run: Room,
  month: Room,
  isCalling: boolean,
): Afford {
  const [first] = worst
  if (first === undefined) return { take: 0 }
  const fits = (amount: bigint) => [run, month].every((room) => room === null || amount <= room.free)
  if (fits(worst.reduce((sum, one) => sum + one, 0n))) return { take: worst.length }
  if (isCalling) return { wait: true }
  if (fits(first)) return { take: 1 }
  if (run !== null && first > run.unspent) return { stop: 'run_budget' }
  if (month !== null && first > month.unspent) return { stop: 'month_budget' }
  return { wait: true }
}

/** The stricter of two monthly limits. */
export function smallerLimit(one: bigint | null, other: bigint | null): bigint | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

export function roomOf(limit: bigint | null, { reserved, spent }: { reserved: number; spent: number }): Room {
  if (limit === null) return null
  const unspent = limit - BigInt(spent)
  return { unspent, free: unspent - BigInt(reserved) }
}
