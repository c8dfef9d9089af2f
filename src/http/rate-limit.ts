/** One limit: so many requests a second on average, so many at once. */
export type Limit = { requestsPerSecond: number; burst: number }
export type Verdict = { allowed: boolean; remaining: number; resetSeconds: number; retryAfterSeconds: number }

const slots = 65_536
const probes = 32

/**
 * The generic cell rate algorithm: for each project one number, the time at which its bucket would be full again. It sits
 * in shared memory, so all workers of a host draw from one bucket without a lock or a message.
 */
export function makeRateLimiter(memory: SharedArrayBuffer) {
  const owners = new BigInt64Array(memory, 0, slots)
  const fullAt = new BigInt64Array(memory, slots * 8, slots)

  function slotOf(project: bigint, now: bigint): number {
    const home = Number((project * 2_654_435_761n) % BigInt(slots))
    for (let probe = 0; probe < probes; probe += 1) {
      if (Atomics.load(owners, (home + probe) % slots) === project) return (home + probe) % slots
    }
    for (let probe = 0; probe < probes; probe += 1) {
      const slot = (home + probe) % slots
      const owner = Atomics.load(owners, slot)
      // A full bucket is the same as a new one, so its slot can be given to another project.
      const idle = owner === 0n || Atomics.load(fullAt, slot) < now
      if (idle && Atomics.compareExchange(owners, slot, owner, project) === owner) return slot
    }
    return home
  }

  return function take(
    projectId: number,
    { requestsPerSecond, burst }: Limit,
    now = process.hrtime.bigint(),
  ): Verdict {
    const interval = BigInt(Math.floor(1e9 / requestsPerSecond))
    const room = interval * BigInt(burst)
    const slot = slotOf(BigInt(projectId), now)
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
      return {
        allowed: true,
        remaining: Number(-excess / interval),
        resetSeconds: seconds(after - now),
        retryAfterSeconds: 0,
      }
    }
  }
}

export type RateLimiter = ReturnType<typeof makeRateLimiter>

export function rateLimitMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(slots * 16)
}

function seconds(nanoseconds: bigint): number {
  return Math.max(1, Math.ceil(Number(nanoseconds) / 1e9))
}
