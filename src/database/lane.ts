import { DatabaseFailure } from './failures.ts'

/**
 * Lets so many run at once, in the order in which they came; whoever waits longer than the limit (0: none) fails as if its own
 * statement had run past it. Broad queries keep to a lane, so that they never hold every connection.
 */
export function openLane(most: number, patienceSeconds: number) {
  let running = 0
  const waiting = new Set<() => void>()

  function enter(): Promise<void> {
    if (running < most) {
      running += 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const giveUp = () => {
        waiting.delete(start)
        reject(new DatabaseFailure('query_timeout', new Error('waited for other broad queries')))
      }
      const timer = patienceSeconds === 0 ? undefined : setTimeout(giveUp, patienceSeconds * 1000)
      waiting.add(start)
    })
  }

  function leave(): void {
    const [next] = waiting
    if (next === undefined) {
      running -= 1
      return
    }
    waiting.delete(next)
    next()
  }

  return async function inLane<Result>(work: () => Promise<Result>): Promise<Result> {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
