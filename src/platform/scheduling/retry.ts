import { setTimeout as sleep } from 'node:timers/promises'

/** When work that failed, or found nothing yet, runs again. */
export type RetryPolicy = {
  /** Attempts in all; by default only the time limit ends them. */
  attempts?: number
  /** Milliseconds to wait after the first failure, the second and so on. The last one repeats; by default there is no pause. */
  pauses?: readonly number[]
  /** Fraction by which a pause varies at random, so that work that failed together does not run again together. */
  jitter?: number
  /** A failure after this much time is the last one. */
  withinMilliseconds?: number
  /** Ends the attempts, also during a pause. */
  signal?: AbortSignal
}

/** The pause after this many failures, in milliseconds; undefined after the last attempt. `chance` is from 0 to 1. */
export function pauseAfter(
  failures: number,
  { attempts = Number.POSITIVE_INFINITY, pauses = [0], jitter = 0 }: RetryPolicy,
  chance = Math.random(),
): number | undefined {
  if (failures >= attempts) return undefined
  const pause = pauses[Math.min(failures, pauses.length) - 1] ?? 0
  return Math.round(pause * (1 + jitter * (2 * chance - 1)))
}

/** Pauses that double from the first to the longest. */
export function doublingPauses(firstMilliseconds: number, longestMilliseconds: number): number[] {
  const pauses: number[] = []
  for (let pause = firstMilliseconds; pause < longestMilliseconds; pause *= 2) pauses.push(pause)
  return [...pauses, longestMilliseconds]
}

/** Runs work until it returns a value. Undefined after the last attempt or an abort. The work receives the number of failures so far. */
export async function repeat<Result>(
  policy: RetryPolicy,
  work: (failures: number) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const startedAt = performance.now()
  for (let failures = 0; policy.signal?.aborted !== true; ) {
    const result = await work(failures)
    if (result !== undefined) return result
    failures += 1
    const pause = pauseAfter(failures, policy)
    if (pause === undefined) return undefined
    if (performance.now() - startedAt >= (policy.withinMilliseconds ?? Number.POSITIVE_INFINITY))
      return undefined
    if (pause > 0) await sleep(pause, undefined, policy.signal && { signal: policy.signal }).catch(() => {})
  }
  return undefined
}

type Retries = RetryPolicy & {
  isRetryable: (error: unknown) => boolean
  /** What the caller gets instead of the error of the last attempt. */
  exhausted?: (error: unknown) => unknown
}

/** Repeats work after errors that may not occur again. */
export async function retry<Result>(
  { isRetryable, exhausted = (error) => error, ...policy }: Retries,
  work: (failures: number) => Promise<Result>,
): Promise<Result> {
  let last: unknown
  const done = await repeat(policy, async (failures) => {
    try {
      return { result: await work(failures) }
    } catch (error) {
      if (!isRetryable(error)) throw error
      last = error
      return undefined
    }
  })
  if (done === undefined) throw exhausted(last)
  return done.result
}

/** Checks a condition at these intervals until it is true. False if that takes longer than the time limit. */
export async function waitUntil(
  isDone: () => boolean | Promise<boolean>,
  everyMilliseconds: number,
  withinMilliseconds: number,
): Promise<boolean> {
  const done = await repeat(
    { pauses: [everyMilliseconds], withinMilliseconds },
    async () => (await isDone()) || undefined,
  )
  return done === true
}
