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
}

type Waiting = { project: number | undefined; start: () => void }

export type ConcurrencyLimit = {
  run<Result>(work: () => Promise<Result>, project?: number): Promise<Result>
  /** Takes a place, unless the signal says that nobody wants it any more. The returned function gives the place back, once. */
  enter(project?: number, signal?: AbortSignal): Promise<() => void>
  waiting(): number
}

/** Runs so many at once, in the order in which they came. It refuses with `too_busy`, which says that the server is not at fault. */
export function limitConcurrency({
  most,
  mostOfProject = most,
  patienceSeconds,
  mostWaiting = 1_000,
}: ConcurrencyLimits): ConcurrencyLimit {
  let running = 0
  const runningOf = new Map<number, number>()
  const waiting = new Set<Waiting>()

  function mayStart({ project }: Pick<Waiting, 'project'>): boolean {
    return running < most && (project === undefined || (runningOf.get(project) ?? 0) < mostOfProject)
  }

  function count(project: number | undefined, change: 1 | -1): void {
    running += change
    if (project === undefined) return
    const left = (runningOf.get(project) ?? 0) + change
    if (left === 0) runningOf.delete(project)
    else runningOf.set(project, left)
  }

  function takePlace(project: number | undefined, signal?: AbortSignal): void | Promise<void> {
    signal?.throwIfAborted()
    if (mayStart({ project })) return count(project, 1)
    if (waiting.size >= mostWaiting) throw tooBusy()
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        waiting.delete(one)
      }
      const one = {
        project,
        start() {
          stopWaiting()
          resolve()
        },
      }
      function giveUp(): void {
        stopWaiting()
        reject(tooBusy())
      }
      const timer = patienceSeconds === 0 ? undefined : setTimeout(giveUp, patienceSeconds * 1000)
      signal?.addEventListener('abort', giveUp)
      waiting.add(one)
    })
  }

  function leave(project: number | undefined): void {
    count(project, -1)
    for (const next of waiting) {
      if (running >= most) return
      if (!mayStart(next)) continue
      count(next.project, 1)
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
    async run(work, project) {
      const leaveAgain = await enter(project)
      try {
        return await work()
      } finally {
        leaveAgain()
      }
    },
  }
}

export function tooBusy(): DatabaseFailure {
  return new DatabaseFailure('too_busy', new Error('waited for others of its kind'))
}
