import { type ReactNode, type RefObject, useState } from 'react'
import { useAnnouncer } from '../../parts/announcer.tsx'
import { usePermissions } from '../../parts/permissions.ts'
import type { Proposal, ProposalLine } from '../../wire.ts'
import { strings } from '../strings.ts'
import { LineActions } from './line-actions.tsx'
import { LineEditor } from './line-editor.tsx'
import type { Mark, Marks } from './use-marks.ts'
import { useReviewKeys } from './use-review-keys.ts'

/** What the review adds to a line. */
export type LineReview = {
  mark: Mark | undefined
  isCurrent: boolean
  select: () => void
  actions: ReactNode
  /** Replaces the fields while the user edits the line. */
  editor: ReactNode
}

type Options = {
  project: number
  proposal: Proposal
  list: RefObject<HTMLElement | null>
  /** Lines on this page that can be decided. */
  lines: ProposalLine[]
  marks: Marks
  turn: (by: 1 | -1) => void
}

/** Marks and edits the lines of a page, with the keyboard or with buttons. Undefined for a line that cannot be decided. */
export function useLineReview({ project, proposal, list, lines, marks, turn }: Options) {
  const [edited, setEdited] = useState<number>()
  const { mark, region } = useMarking(marks)
  const edit = ({ line }: ProposalLine) => setEdited(line)
  const { current, select } = useReviewKeys({ list, lines, mark, edit, turn })
  const close = () => {
    setEdited(undefined)
    list.current?.querySelector<HTMLElement>(`[data-line="${edited}"]`)?.focus()
  }
  const { id, revision } = proposal
  const reviewOf = (line: ProposalLine): LineReview | undefined => {
    const isEdited = edited === line.line
    // The editor stays open while the lines are read again.
    if (!lines.includes(line) && !isEdited) return undefined
    const own = marks.of.get(line.line)
    const editing = { project, id, revision, line, saved: marks.follow, close }
    return {
      mark: own,
      isCurrent: line === current,
      select: () => select(line.line),
      actions: !isEdited && (
        <LineActions
          line={line}
          mark={own}
          setMark={(wanted) => mark(line, wanted)}
          edit={() => edit(line)}
        />
      ),
      editor: isEdited ? <LineEditor {...editing} /> : undefined,
    }
  }
  return { reviewOf, region }
}

/** Marks a line and reports it to screen readers. Returns false if the user cannot mark the line that way. */
function useMarking(marks: Marks) {
  const { canManage } = usePermissions()
  const { announce, region } = useAnnouncer()
  const mark = (line: ProposalLine, wanted: Mark | undefined): boolean => {
    if (wanted === 'accept' && (!canManage || line.state !== 'open')) return false
    marks.set(line.line, wanted)
    announce(strings.review.marked[wanted ?? 'none'](line.sku ?? strings.line.number(line.line)))
    return true
  }
  return { mark, region }
}
