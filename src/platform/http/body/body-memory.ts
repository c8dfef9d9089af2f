import { responseLimits } from '../../limits/responses.ts'
import { limitConcurrency } from '../../scheduling/concurrency-limit.ts'
import { Problem } from '../problems.ts'

type Share = { total: number; perProject: number }

export type BodyLimits = {
  /** The first part of every body has separate memory, so that a small push does not wait for large ones. */
  firstBytes: number
  first: Share
  rest: Share
  stepBytes: number
  maxWaitSeconds: number
}

/** The memory of one incoming body. */
export type BodyMemory = {
  /** Reserves this many bytes in total. Returns undefined if they are available, or a promise that waits and can time out. */
  growTo(bytes: number): Promise<void> | undefined
  release(): void
}

export type ReserveBodyMemory = (projectId: number) => BodyMemory

/**
 * A body reserves memory step by step as it arrives, so that a slow sender holds little more than what it sent. In addition to the
 * total, there is always memory for one complete body.
 */
export function bodyMemory(limits: BodyLimits): ReserveBodyMemory {
  const { firstBytes, stepBytes, maxWaitSeconds } = limits
  const open = ({ total, perProject }: Share) =>
    limitConcurrency({
      ...{ most: total, maxPerProject: perProject, maxWaiting: Number.POSITIVE_INFINITY },
      ...{ maxWaitSeconds, oneGoesBeyond: true, busyError: tooBusy },
    })
  const first = open(limits.first)
  const rest = open(limits.rest)

  return (projectId) => {
    const inFirst = { ...first.hold(projectId), held: 0 }
    const inRest = { ...rest.hold(projectId), held: 0 }
    const gone = new AbortController()
    return {
      growTo(bytes) {
        const isFirst = bytes <= firstBytes
        const part = isFirst ? inFirst : inRest
        const missing = (isFirst ? bytes : bytes - firstBytes) - part.held
        if (missing <= 0) return undefined
        const step = Math.max(isFirst ? Math.min(stepBytes, firstBytes - part.held) : stepBytes, missing)
        part.held += step
        return part.take(step, gone.signal)
      },
      release() {
        gone.abort()
        inFirst.leave()
        inRest.leave()
      },
    }
  }
}

function tooBusy(): Problem {
  return new Problem('too_busy', {
    detail:
      'Other pushes are still arriving. Nothing of this push was written. Try again after the number of seconds in Retry-After.',
    headers: { 'retry-after': String(responseLimits.memoryRetryAfterSeconds) },
  })
}
