import type { FastifyReply } from 'fastify'
import { Problem } from './problems.ts'

/** One limit: so many requests a second on average, so many at once. */
export type Limit = { requestsPerSecond: number; burst: number }
export type Verdict = { allowed: boolean; remaining: number; resetSeconds: number; retryAfterSeconds: number }

const slots = 65_536
const probes = 32
const tableBytes = slots * 16
/** A table each: whoever calls from ever new addresses cannot take the place of a project. */
const tables = ['project', 'address', 'user'] as const

export type RateLimiter = Record<(typeof tables)[number], Buckets>

/** The memory that all workers of a process draw from. */
export function rateLimitMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(tables.length * tableBytes)
}

export function makeRateLimiter(memory: SharedArrayBuffer): RateLimiter {
  const [project, address, user] = tables.map((_, index) => openBuckets(memory, index * tableBytes))
  return { project, address, user } as RateLimiter
}

export type Buckets = ReturnType<typeof openBuckets>

/**
 * The generic cell rate algorithm: for each owner one number, the time at which its bucket would be full again. It sits in
 * shared memory, so all workers draw from one bucket without a lock or a message.
 */
function openBuckets(memory: SharedArrayBuffer, offset: number) {
  const owners = new BigInt64Array(memory, offset, slots)
  const fullAt = new BigInt64Array(memory, offset + slots * 8, slots)

  function slotOf(owner: bigint, now: bigint): number {
    const home = Number(BigInt.asUintN(64, owner * 2_654_435_761n) % BigInt(slots))
    for (let probe = 0; probe < probes; probe += 1) {
      if (Atomics.load(owners, (home + probe) % slots) === owner) return (home + probe) % slots
    }
    for (let probe = 0; probe < probes; probe += 1) {
      const slot = (home + probe) % slots
      const before = Atomics.load(owners, slot)
      // A full bucket is the same as a new one, so its slot can be given to another owner.
      const idle = before === 0n || Atomics.load(fullAt, slot) < now
      if (idle && Atomics.compareExchange(owners, slot, before, owner) === before) return slot
    }
    return home
  }

  function take(owner: bigint, { requestsPerSecond, burst }: Limit, now = process.hrtime.bigint()): Verdict {
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
      return {
        allowed: true,
        remaining: Number(-excess / interval),
        resetSeconds: seconds(after - now),
        retryAfterSeconds: 0,
      }
    }
  }

  /** For what turned out not to count. */
  function giveBack(owner: bigint, { requestsPerSecond }: Limit): void {
    Atomics.sub(fullAt, slotOf(owner, process.hrtime.bigint()), intervalOf(requestsPerSecond))
  }

  return { take, giveBack }
}

/** Tells the client what is left for it, and refuses when that is nothing. */
export function applyVerdict(
  reply: FastifyReply,
  whose: 'project' | 'user',
  { requestsPerSecond, burst }: Limit,
  { allowed, remaining, resetSeconds, retryAfterSeconds }: Verdict,
  detail?: string,
): void {
  reply.headers({
    'ratelimit-policy': `"${whose}";q=${burst};w=${Math.ceil(burst / requestsPerSecond)}`,
    ratelimit: `"${whose}";r=${remaining};t=${resetSeconds}`,
  })
  if (!allowed) throw rateLimited(retryAfterSeconds, detail)
}

export function rateLimited(retryAfterSeconds: number, detail?: string): Problem {
  const headers = { 'retry-after': String(retryAfterSeconds) }
  return new Problem('rate_limited', { headers, ...(detail !== undefined && { detail }) })
}

function intervalOf(requestsPerSecond: number): bigint {
  return BigInt(Math.floor(1e9 / requestsPerSecond))
}

function seconds(nanoseconds: bigint): number {
  return Math.max(1, Math.ceil(Number(nanoseconds) / 1e9))
}
