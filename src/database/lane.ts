import { DatabaseFailure } from './failures.ts'

type Waiting = { key: number | undefined; start: () => void }

/**
 * Lets so many run at once, in the order in which they came; whoever waits longer than the limit (0: none) fails as if its own
 * statement had run past it. Of those with one key only some run at once, so that the others find room beside them. What may
 * take long keeps to a lane, and never holds every connection.
 */
export function openLane(most: number, patienceSeconds: number, mostOfKey = most) {
  let running = 0
  const runningOf = new Map<number, number>()
  const waiting = new Set<Waiting>()

  function mayStart({ key }: Pick<Waiting, 'key'>): boolean {
    return running < most && (key === undefined || (runningOf.get(key) ?? 0) < mostOfKey)
  }

  function count(key: number | undefined, change: 1 | -1): void {
    running += change
    if (key === undefined) return
    const left = (runningOf.get(key) ?? 0) + change
    if (left === 0) runningOf.delete(key)
    else runningOf.set(key, left)
  }

  function enter(key: number | undefined): Promise<void> {
    if (mayStart({ key })) {
      count(key, 1)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const one = { key, start }
      const giveUp = () => {
        waiting.delete(one)
        reject(new DatabaseFailure('query_timeout', new Error('waited for others of its kind')))
      }
      const timer = patienceSeconds === 0 ? undefined : setTimeout(giveUp, patienceSeconds * 1000)
      waiting.add(one)
    })
  }

  function leave(key: number | undefined): void {
    count(key, -1)
    const next = [...waiting].find(mayStart)
    if (next === undefined) return
    waiting.delete(next)
    count(next.key, 1)
    next.start()
  }

  return async function inLane<Result>(work: () => Promise<Result>, key?: number): Promise<Result> {
    await enter(key)
    try {
      return await work()
    } finally {
      leave(key)
    }
  }
}
