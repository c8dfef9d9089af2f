import { Problem } from './problems.ts'

/** Gives back all but so many bytes of what was admitted. */
export type Room = (keptBytes: number) => void

/** Resolves when there is room for so many bytes of a project. First come, first served. */
export type Admission = (projectId: number, bytes: number, patienceMilliseconds: number) => Promise<Room>

export type AdmissionLimits = { total: number; perProject: number }

const retryAfterSeconds = '5'

/** Who waits for room that its own project holds is passed by; who waits too long is told to come again. */
export function admitBytes({ total, perProject }: AdmissionLimits): Admission {
  let free = total
  const held = new Map<number, number>()
  const waiting = new Set<{ projectId: number; bytes: number; enter: () => void }>()

  function take(projectId: number, bytes: number): void {
    free -= bytes
    const now = (held.get(projectId) ?? 0) + bytes
    if (now === 0) held.delete(projectId)
    else held.set(projectId, now)
  }

  function admitWaiting(): void {
    for (const next of waiting) {
      if ((held.get(next.projectId) ?? 0) + next.bytes > perProject) continue
      if (next.bytes > free) return
      waiting.delete(next)
      take(next.projectId, next.bytes)
      next.enter()
    }
  }

  return async (projectId, wanted, patienceMilliseconds) => {
    let bytes = Math.min(wanted, perProject)
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(entry)
        reject(tooBusy())
        admitWaiting()
      }, patienceMilliseconds)
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      const entry = { projectId, bytes, enter }
      waiting.add(entry)
      admitWaiting()
    })
    return (kept) => {
      take(projectId, Math.min(kept, bytes) - bytes)
      bytes = Math.min(kept, bytes)
      admitWaiting()
    }
  }
}

function tooBusy(): Problem {
  return new Problem('too_busy', {
    detail: 'Other pushes are still arriving. Nothing of this one was written; try again in a moment.',
    headers: { 'retry-after': retryAfterSeconds },
  })
}
