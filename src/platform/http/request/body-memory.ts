import { Problem } from '../problems.ts'

type Share = { total: number; perProject: number }

export type BodyLimits = {
  /** The first part of every body has memory of its own: a small push does not wait for large ones. */
  firstBytes: number
  first: Share
  rest: Share
  stepBytes: number
  patienceSeconds: number
}

/** The memory of one body that arrives. */
export type BodyMemory = {
  /** Reserves so many bytes in all. Undefined: they are there; otherwise the promise waits for them, and fails after a time. */
  growTo(bytes: number): Promise<void> | undefined
  release(): void
}

export type ReserveBodyMemory = (projectId: number) => BodyMemory

/** A body reserves memory step by step as it arrives, so that a slow sender holds little more than what it sent. */
export function bodyMemory(limits: BodyLimits): ReserveBodyMemory {
  const { firstBytes, stepBytes, patienceSeconds } = limits
  const first = openPool(limits.first, patienceSeconds)
  const rest = openPool(limits.rest, patienceSeconds)

  return (projectId) => {
    const inFirst: Member = { projectId, held: 0 }
    const inRest: Member = { projectId, held: 0 }
    return {
      growTo(bytes) {
        const isFirst = bytes <= firstBytes
        const member = isFirst ? inFirst : inRest
        const missing = (isFirst ? bytes : bytes - firstBytes) - member.held
        if (missing <= 0) return undefined
        const step = isFirst ? Math.min(stepBytes, firstBytes - member.held) : stepBytes
        return (isFirst ? first : rest).take(member, Math.max(step, missing))
      },
      release() {
        first.leave(inFirst)
        rest.leave(inRest)
      },
    }
  }
}

type Member = { projectId: number; held: number }
type Step = { member: Member; bytes: number }
type Waiting = Step & { enter: () => void; timer: NodeJS.Timeout }

/**
 * Members keep what they have while they wait for more, so all of them could wait for each other. One of them, the first
 * that finds no memory, therefore goes on without: beyond the total there is always memory for one whole body.
 */
function openPool({ total, perProject }: Share, patienceSeconds: number) {
  let free = total
  let unbounded: Member | undefined
  const heldBy = new Map<number, number>()
  const waiting = new Set<Waiting>()

  function add({ member, bytes }: Step): void {
    member.held += bytes
    free -= bytes
    const now = (heldBy.get(member.projectId) ?? 0) + bytes
    if (now === 0) heldBy.delete(member.projectId)
    else heldBy.set(member.projectId, now)
  }

  function mayTake({ member, bytes }: Step): boolean {
    if (bytes <= free && (heldBy.get(member.projectId) ?? 0) + bytes <= perProject) return true
    unbounded ??= member
    return unbounded === member
  }

  function stopWaiting(entry: Waiting): void {
    clearTimeout(entry.timer)
    waiting.delete(entry)
  }

  function grantWaiting(): void {
    for (const next of waiting) {
      if (!mayTake(next)) continue
      stopWaiting(next)
      add(next)
      next.enter()
    }
  }

  return {
    take(member: Member, bytes: number): Promise<void> | undefined {
      if (mayTake({ member, bytes })) {
        add({ member, bytes })
        return undefined
      }
      return new Promise((resolve, reject) => {
        const giveUp = () => {
          waiting.delete(entry)
          reject(tooBusy())
        }
        const entry = { member, bytes, enter: resolve, timer: setTimeout(giveUp, patienceSeconds * 1000) }
        waiting.add(entry)
      })
    },
    leave(member: Member): void {
      for (const entry of waiting) if (entry.member === member) stopWaiting(entry)
      if (unbounded === member) unbounded = undefined
      add({ member, bytes: -member.held })
      grantWaiting()
    },
  }
}

function tooBusy(): Problem {
  return new Problem('too_busy', {
    detail: 'Other pushes are still arriving. Nothing of this one was written; try again in a moment.',
    headers: { 'retry-after': '5' },
  })
}
