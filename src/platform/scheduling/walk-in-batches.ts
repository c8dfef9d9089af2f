import { setTimeout as sleep } from 'node:timers/promises'

export type Walk = {
  /** Size of the first batch, and maximum size of a batch. By default, the caller decides. */
  first?: number
  most?: number
  /** Target duration of a batch. After a quicker batch the next one is larger, after a slower one smaller. */
  batchMilliseconds?: number
  /** The factor by which batches grow. */
  growth?: number
  /** A batch that failed because it has too many items runs again with a quarter of them. */
  isTooLarge?: (error: unknown) => boolean
  /** How long a batch of one item can keep failing like that. */
  maxRetryMilliseconds?: number
  signal?: AbortSignal | undefined
  /** No batch starts later than this; the first one always runs. */
  turnMilliseconds?: number
  /** How long the walk rests after a batch, as a fraction of the duration of the batch. */
  rest?: number
}

/**
 * Runs short batches until one returns a value. Undefined if the signal aborted or the turn is over; the next walk continues.
 * A batch that found nothing to do calls `keepSize`, because its time says nothing.
 */
export async function walkInBatches<Result>(
  walk: Walk,
  batch: (size: number, keepSize: () => void) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const { maxRetryMilliseconds = 0, turnMilliseconds = Number.POSITIVE_INFINITY, rest = 0 } = walk
  const startedAt = performance.now()
  let size = Math.max(1, Math.floor(Math.min(walk.first ?? 1, walk.most ?? Number.POSITIVE_INFINITY)))
  let lastSuccess = startedAt
  while (walk.signal?.aborted !== true) {
    const began = performance.now()
    let isMeasured = true
    try {
      const result = await batch(size, () => {
        isMeasured = false
      })
      if (result !== undefined) return result
      lastSuccess = performance.now()
      if (isMeasured) size = nextSize(size, lastSuccess - began, walk)
    } catch (error) {
      const isOver = size === 1 && performance.now() - lastSuccess >= maxRetryMilliseconds
      if (walk.isTooLarge?.(error) !== true || isOver) throw error
      size = Math.ceil(size / 4)
    }
    if (rest > 0) await sleep((performance.now() - began) * rest)
    if (performance.now() - startedAt >= turnMilliseconds) return undefined
  }
  return undefined
}

function nextSize(size: number, took: number, { most = size, batchMilliseconds, growth = 2 }: Walk): number {
  if (batchMilliseconds === undefined) return size
  if (took < batchMilliseconds / 2) return Math.min(most, Math.ceil(size * growth))
  return took > batchMilliseconds ? Math.max(1, Math.floor(size / 2)) : size
}
