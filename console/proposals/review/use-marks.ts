import { useCallback, useEffect, useState } from 'react'
import { notifyWarning } from '../../parts/notify.ts'
import type { Proposal } from '../../wire.ts'
import { strings } from '../strings.ts'

export type Mark = 'accept' | 'reject'

export type Marks = {
  of: ReadonlyMap<number, Mark>
  /** Marks a line; undefined removes the mark. */
  set: (line: number, mark: Mark | undefined) => void
  clear: () => void
  /** Keeps the marks through an edit of this browser. */
  follow: (revision: number) => void
}

const none: ReadonlyMap<number, Mark> = new Map()

/** Lines that the user accepts or rejects, on all pages. If someone else edits a line, the marks are removed. */
export function useMarks({ revision }: Proposal): Marks {
  // The page learns the revision of an own edit after the marks do.
  const [held, setHeld] = useState({ revision, next: revision, marks: none })
  const isCurrent = held.revision === revision || held.next === revision
  const isLost = !isCurrent && held.marks.size > 0
  useEffect(() => {
    if (isCurrent) return
    if (isLost) notifyWarning(strings.review.changed)
    setHeld({ revision, next: revision, marks: none })
  }, [isCurrent, isLost, revision])
  const set = useCallback((line: number, mark: Mark | undefined) => {
    setHeld(({ marks, ...rest }) => {
      const next = new Map(marks)
      if (mark === undefined) next.delete(line)
      else next.set(line, mark)
      return { ...rest, marks: next }
    })
  }, [])
  const clear = useCallback(() => setHeld((now) => ({ ...now, marks: none })), [])
  const follow = useCallback(
    (to: number) => setHeld(({ next, marks }) => ({ revision: next, next: to, marks })),
    [],
  )
  return { of: isCurrent ? held.marks : none, set, clear, follow }
}
