import { type RefObject, useState } from 'react'
import { useKeys } from '../../parts/use-keys.ts'
import type { ProposalLine } from '../../wire.ts'
import type { Mark } from './use-marks.ts'

type Options = {
  list: RefObject<HTMLElement | null>
  /** Lines on this page that can be decided. */
  lines: ProposalLine[]
  mark: (line: ProposalLine, mark: Mark) => boolean
  edit: (line: ProposalLine) => void
  /** Called at the end of the page. */
  turn: (by: 1 | -1) => void
}

/** A accepts, E edits and R rejects the current line; → and ← move. Returns the current line. */
export function useReviewKeys({ list, lines, mark, edit, turn }: Options) {
  const [number, setNumber] = useState<number>()
  const place = Math.max(
    0,
    lines.findIndex(({ line }) => line === number),
  )
  const current = lines[place]

  function go(by: 1 | -1): void {
    const next = lines[place + by]
    // The first key press selects the first line.
    const target = number === undefined && by === 1 ? current : next
    if (target === undefined) {
      turn(by)
      return
    }
    setNumber(target.line)
    list.current?.querySelector<HTMLElement>(`[data-line="${target.line}"]`)?.focus()
  }

  function decide(decision: Mark): boolean {
    if (current === undefined || !mark(current, decision)) return false
    setNumber(current.line)
    const next = lines[place + 1]
    if (next !== undefined) {
      setNumber(next.line)
      list.current?.querySelector<HTMLElement>(`[data-line="${next.line}"]`)?.focus()
    }
    return true
  }

  const accept = () => decide('accept')
  const reject = () => decide('reject')
  const open = () => {
    if (current === undefined) return false
    setNumber(current.line)
    edit(current)
    return true
  }
  const move = (by: 1 | -1) => () => (lines.length === 0 ? false : go(by))
  useKeys({
    ...{ a: accept, A: accept, e: open, E: open, r: reject, R: reject },
    ...{ ArrowRight: move(1), ArrowLeft: move(-1) },
  })
  return { current: number === undefined ? undefined : current, select: setNumber }
}
