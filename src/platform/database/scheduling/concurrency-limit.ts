import { DatabaseFailure } from '../failures.ts'

export type ConcurrencyLimits = {
  /** How many run at once. */
  most: number
  /** How many of one project run at once, so that other projects find room. */
  mostOfProject?: number
  /** A caller that waits longer is refused; 0 lets every caller wait. */
  patienceSeconds: number
  /** A caller that comes when so many wait is refused at once. */
  mostWaiting?: number
  /** The same for the callers of one project; by default half, so that no project fills the queue. */
  mostWaitingOfProject?: number
}

type Waiting = { project: number | undefined; start: () => void }

export type ConcurrencyLimit = {
  /** Throws the signal's reason where it aborts before the work begins. */
  run<Result>(work: () => Promise<Result>, project?: number, signal?: AbortSignal): Promise<Result>
  /** Takes a place, unless the signal says that nobody wants it any more. The returned function gives the place back, once. */
  enter(project?: number, signal?: AbortSignal): Promise<() => void>
  waiting(): number
}

/**
 * Runs so many at once. A free place goes to the project that has the fewest, and within a project to whoever came first. It
 * refuses with `too_busy`, which says that the server is not at fault.
 */
export function limitConcurrency({
  most,
  mostOfProject = most,
  patienceSeconds,
  mostWaiting = 1_000,
  mostWaitingOfProject = Math.ceil(mostWaiting / 2),
}: ConcurrencyLimits): ConcurrencyLimit {
  const running = countByProject()
  const waitingOf = countByProject()
  const waiting = new Set<Waiting>()

  function mayStart(project: number | undefined): boolean {
    return running.all() < most && (project === undefined || running.of(project) < mostOfProject)
  }

  function mayWait(project: number | undefined): boolean {
    return (
      waiting.size < mostWaiting && (project === undefined || waitingOf.of(project) < mostWaitingOfProject)
    )
  }

  function takePlace(project: number | undefined, signal?: AbortSignal): void | Promise<void> {
    signal?.throwIfAborted()
    if (mayStart(project)) return running.add(project, 1)
    if (!mayWait(project)) throw tooBusy()
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leaveQueue)
        waiting.delete(one)
        waitingOf.add(project, -1)
      }
      const giveUp = (error: unknown) => {
        stopWaiting()
        reject(error)
      }
      const one = {
        project,
        start() {
          stopWaiting()
          resolve()
        },
      }
      const leaveQueue = () => giveUp(signal?.reason)
      const timer =
        patienceSeconds === 0 ? undefined : setTimeout(() => giveUp(tooBusy()), patienceSeconds * 1000)
      signal?.addEventListener('abort', leaveQueue)
      waiting.add(one)
      waitingOf.add(project, 1)
    })
  }

  /** Whoever waits and may start, of the project that has the fewest places. */
  function findNext(): Waiting | undefined {
    let next: Waiting | undefined
    let fewest = Number.POSITIVE_INFINITY
    for (const one of waiting) {
      const places = one.project === undefined ? 0 : running.of(one.project)
      if (places >= fewest || !mayStart(one.project)) continue
      next = one
      fewest = places
      if (places === 0) break
    }
    return next
  }

  function leave(project: number | undefined): void {
    running.add(project, -1)
    while (running.all() < most) {
      const next = findNext()
      if (next === undefined) return
      running.add(next.project, 1)
      next.start()
    }
  }

  async function enter(project?: number, signal?: AbortSignal): Promise<() => void> {
    await takePlace(project, signal)
    let left = false
    return () => {
      if (!left) leave(project)
      left = true
    }
  }

  return {
    enter,
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

function countByProject() {
  let all = 0
  const counts = new Map<number, number>()
  return {
    all: () => all,
    of: (project: number) => counts.get(project) ?? 0,
    add(project: number | undefined, change: 1 | -1): void {
      all += change
      if (project === undefined) return
      const now = (counts.get(project) ?? 0) + change
      if (now === 0) counts.delete(project)
      else counts.set(project, now)
    },
  }
}

export function tooBusy(): DatabaseFailure {
  return new DatabaseFailure('too_busy', new Error('waited for others of its kind'))
}
