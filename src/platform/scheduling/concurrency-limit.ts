import { countByKey } from './count-by-key.ts'

export type ConcurrencyLimits = {
  /** Number of slots: one per concurrent caller, or one per byte. */
  most: number
  /** Maximum number of slots per project, so that slots remain for other projects. */
  maxPerProject?: number
  /** A caller that waits longer is rejected; 0 lets every caller wait. */
  maxWaitSeconds: number
  /** Rejects callers that arrive while this many wait. */
  maxWaiting?: number
  /** The same for the callers of one project; by default half, so that no project fills the queue. */
  maxWaitingPerProject?: number
  /**
   * Holders that take slots step by step keep them while they wait, so all of them could wait for each other. The first one that
   * finds no free slot can therefore exceed the limit until it leaves.
   */
  oneGoesBeyond?: boolean
  busyError?: () => Error
}

/** The limit rejected a caller. The server works, and the client can try again. */
export class TooBusy extends Error {
  readonly failure = 'too_busy'

  constructor() {
    super('the concurrency limit was reached')
  }
}

/** Takes slots step by step, and releases all of them at once. */
type Holder = {
  /** Undefined if the slots are free; otherwise the promise waits for them. It rejects with the signal's reason if that aborts. */
  take(slots: number, signal?: AbortSignal): Promise<void> | undefined
  leave(): void
}

export type ConcurrencyLimit = {
  /** Throws the signal's reason if it aborts before the work starts. */
  run<Result>(work: () => Promise<Result>, project?: number, signal?: AbortSignal): Promise<Result>
  /** Takes a slot. The returned function releases it. */
  enter(project?: number, signal?: AbortSignal): Promise<() => void>
  /** The same without waiting; undefined if no slot is free. */
  tryEnter(project?: number): (() => void) | undefined
  hold(project?: number): Holder
  waiting(): number
}

type Member = { project: number | undefined; held: number }
type Waiting = { member: Member; slots: number; start: () => void }

/**
 * Counts slots. A free slot goes to the project that has the fewest, and within a project to the caller that came first.
 * Rejects callers that cannot wait or that wait too long.
 */
export function limitConcurrency({
  most,
  maxPerProject = most,
  maxWaitSeconds,
  maxWaiting = 1_000,
  maxWaitingPerProject = Math.ceil(maxWaiting / 2),
  oneGoesBeyond = false,
  busyError = () => new TooBusy(),
}: ConcurrencyLimits): ConcurrencyLimit {
  const taken = countByKey()
  const waitingOf = countByKey()
  const waiting = new Set<Waiting>()
  let beyond: Member | undefined

  function canTake(member: Member, slots: number): boolean {
    const { project } = member
    const isRoom =
      taken.all() + slots <= most && (project === undefined || taken.of(project) + slots <= maxPerProject)
    if (isRoom || !oneGoesBeyond) return isRoom
    beyond ??= member
    return beyond === member
  }

  function mayWait({ project }: Member): boolean {
    return (
      waiting.size < maxWaiting && (project === undefined || waitingOf.of(project) < maxWaitingPerProject)
    )
  }

  function give(member: Member, slots: number): void {
    member.held += slots
    taken.add(member.project, slots)
  }

  function take(member: Member, slots: number, signal?: AbortSignal): Promise<void> | undefined {
    signal?.throwIfAborted()
    if (canTake(member, slots)) {
      give(member, slots)
      return undefined
    }
    if (!mayWait(member)) throw busyError()
    return wait(member, slots, signal)
  }

  function wait(member: Member, slots: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leaveQueue)
        waiting.delete(one)
        waitingOf.add(member.project, -1)
      }
      const giveUp = (error: unknown) => {
        stopWaiting()
        reject(error)
      }
      const one = {
        member,
        slots,
        start() {
          stopWaiting()
          resolve()
        },
      }
      const leaveQueue = () => giveUp(signal?.reason)
      const timer =
        maxWaitSeconds === 0 ? undefined : setTimeout(() => giveUp(busyError()), maxWaitSeconds * 1000)
      signal?.addEventListener('abort', leaveQueue)
      waiting.add(one)
      waitingOf.add(member.project, 1)
    })
  }

  /** A waiting caller that can start, from the project that has the fewest slots. */
  function findNext(): Waiting | undefined {
    let next: Waiting | undefined
    let fewest = Number.POSITIVE_INFINITY
    for (const one of waiting) {
      const { project } = one.member
      const held = project === undefined ? 0 : taken.of(project)
      if (held >= fewest || !canTake(one.member, one.slots)) continue
      next = one
      fewest = held
      if (held === 0) break
    }
    return next
  }

  function leave(member: Member): void {
    if (beyond === member) beyond = undefined
    give(member, -member.held)
    while (oneGoesBeyond || taken.all() < most) {
      const next = findNext()
      if (next === undefined) return
      give(next.member, next.slots)
      next.start()
    }
  }

  async function enter(project?: number, signal?: AbortSignal): Promise<() => void> {
    const member = { project, held: 0 }
    await take(member, 1, signal)
    return () => leave(member)
  }

  return {
    enter,
    tryEnter(project) {
      const member = { project, held: 0 }
      if (!canTake(member, 1)) return undefined
      give(member, 1)
      return () => leave(member)
    },
    hold(project) {
      const member = { project, held: 0 }
      return { take: (slots, signal) => take(member, slots, signal), leave: () => leave(member) }
    },
    waiting: () => waiting.size,
    async run(work, project, signal) {
      const leaveAgain = await enter(project, signal)
      try {
        return await work()
      } finally {
        leaveAgain()
      }
    },
  }
}
