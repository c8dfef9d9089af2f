/** A rate limit: requests per second on average, and requests at once. */
export type Limit = { requestsPerSecond: number; burst: number }
export type RateLimitResult = {
  allowed: boolean
  remaining: number
  resetSeconds: number
  retryAfterSeconds: number
}

/** How many seconds of a project's bucket a process has used. */
export type UsedSeconds = { project_id: number; seconds: number }

const slots = 65_536
const probes = 32
const markWords = slots / 32
/** A slot takes three numbers and one bit, and the table one flag. */
export const tableBytes = slots * 24 + markWords * 4 + 8

export type Buckets = ReturnType<typeof openBuckets>

/**
 * The generic cell rate algorithm: one number per owner, the time at which its bucket is full again. It is stored in
 * shared memory, so that all workers use one bucket without a lock or a message.
 */
export function openBuckets(memory: SharedArrayBuffer, offset: number) {
  const owners = new BigInt64Array(memory, offset, slots)
  const fullAt = new BigInt64Array(memory, offset + slots * 8, slots)
  // The nanoseconds that this process has not shared with others yet. They are recorded while the flag at the end is set.
  const unsharedTime = new BigInt64Array(memory, offset + slots * 16, slots)
  // One bit per slot with such nanoseconds, so that a few are found without a scan of all slots.
  const unsharedMarks = new Int32Array(memory, offset + slots * 24, markWords)
  const hasOthers = new Int32Array(memory, offset + slots * 24 + markWords * 4, 1)

  function slotOf(owner: bigint, now: bigint): number {
    const home = Number(BigInt.asUintN(64, owner * 2_654_435_761n) % BigInt(slots))
    for (let probe = 0; probe < probes; probe += 1) {
      if (Atomics.load(owners, (home + probe) % slots) === owner) return (home + probe) % slots
    }
    for (let probe = 0; probe < probes; probe += 1) {
      const slot = (home + probe) % slots
      const before = Atomics.load(owners, slot)
      // A full bucket is equal to a new one, so its slot can be given to another owner.
      const idle = before === 0n || Atomics.load(fullAt, slot) < now
      if (!idle || Atomics.compareExchange(owners, slot, before, owner) !== before) continue
      Atomics.store(unsharedTime, slot, 0n)
      return slot
    }
    return home
  }

  function take(
    owner: bigint,
    { requestsPerSecond, burst }: Limit,
    now = process.hrtime.bigint(),
  ): RateLimitResult {
    const interval = intervalOf(requestsPerSecond)
    const room = interval * BigInt(burst)
    const slot = slotOf(owner, now)
    for (;;) {
      const before = Atomics.load(fullAt, slot)
      const wait = before - now
      const after = now + interval + (wait > 0n ? wait : 0n)
      const excess = after - now - room
      if (excess > 0n)
        return {
          allowed: false,
          remaining: 0,
          resetSeconds: seconds(before - now),
          retryAfterSeconds: seconds(excess),
        }
      if (Atomics.compareExchange(fullAt, slot, before, after) !== before) continue
      if (Atomics.load(hasOthers, 0) === 1) recordUnshared(slot, interval)
      return {
        allowed: true,
        remaining: Number(-excess / interval),
        resetSeconds: seconds(after - now),
        retryAfterSeconds: 0,
      }
    }
  }

  /** The time is written before its mark, so that a reader who finds the mark also finds the time. */
  function recordUnshared(slot: number, nanoseconds: bigint): void {
    Atomics.add(unsharedTime, slot, nanoseconds)
    Atomics.or(unsharedMarks, slot >> 5, 1 << (slot & 31))
  }

  /** Returns a request that turned out not to count. */
  function giveBack(owner: bigint, { requestsPerSecond }: Limit): void {
    Atomics.sub(fullAt, slotOf(owner, process.hrtime.bigint()), intervalOf(requestsPerSecond))
  }

  /** When the first other process appears, it needs the requests that this process has already allowed. */
  function remember(others: boolean): void {
    if (Atomics.exchange(hasOthers, 0, others ? 1 : 0) === 1 || !others) return
    const now = process.hrtime.bigint()
    for (let slot = 0; slot < slots; slot += 1) {
      const owed = Atomics.load(fullAt, slot) - now
      Atomics.store(unsharedTime, slot, 0n)
      if (owed > 0n) recordUnshared(slot, owed)
    }
  }

  function unshared(): UsedSeconds[] {
    const taken: UsedSeconds[] = []
    for (let word = 0; word < markWords; word += 1) {
      if (unsharedMarks[word] === 0) continue
      const marks = Atomics.exchange(unsharedMarks, word, 0)
      for (let bit = 0; bit < 32; bit += 1) {
        if ((marks & (1 << bit)) === 0) continue
        const slot = word * 32 + bit
        const seconds = Number(Atomics.exchange(unsharedTime, slot, 0n)) / 1e9
        if (seconds > 0) taken.push({ project_id: Number(Atomics.load(owners, slot)), seconds })
      }
    }
    return taken
  }

  function shareAgain(taken: UsedSeconds[]): void {
    const now = process.hrtime.bigint()
    for (const { project_id, seconds } of taken)
      recordUnshared(slotOf(BigInt(project_id), now), BigInt(Math.round(seconds * 1e9)))
  }

  /** Applies the time until the bucket is full again, across all processes. */
  function catchUp(projectId: number, secondsLeft: number): void {
    const now = process.hrtime.bigint()
    const slot = slotOf(BigInt(projectId), now)
    const shared = now + BigInt(Math.round(secondsLeft * 1e9))
    for (;;) {
      const before = Atomics.load(fullAt, slot)
      if (before >= shared || Atomics.compareExchange(fullAt, slot, before, shared) === before) return
    }
  }

  return { take, giveBack, remember, unshared, shareAgain, catchUp }
}

function intervalOf(requestsPerSecond: number): bigint {
  return BigInt(Math.floor(1e9 / requestsPerSecond))
}

function seconds(nanoseconds: bigint): number {
  return Math.max(1, Math.ceil(Number(nanoseconds) / 1e9))
}
