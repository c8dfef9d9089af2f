import type { Proposal } from '../wire.ts'
import type { LineState, Origin, Outcome, ProposalState } from './states.ts'
import { strings } from './strings.ts'

type Label = { text: string; tone: 'accent' | 'gray' | 'yellow' | 'red' }

export const stateLabels: Record<ProposalState, Label> = {
  preparing: { text: strings.states.preparing, tone: 'yellow' },
  open: { text: strings.states.open, tone: 'yellow' },
  applying: { text: strings.states.applying, tone: 'yellow' },
  applied: { text: strings.states.applied, tone: 'accent' },
  partly_applied: { text: strings.states.partly_applied, tone: 'accent' },
  discarded: { text: strings.states.discarded, tone: 'gray' },
  expired: { text: strings.states.expired, tone: 'gray' },
  failed: { text: strings.states.failed, tone: 'red' },
}

const undoneLabels: Record<'fully' | 'partly', Label> = {
  fully: { text: strings.undone.fully, tone: 'gray' },
  partly: { text: strings.undone.partly, tone: 'yellow' },
}

/** Whether a later proposal reverted all, some or none of the changes. */
export function undoneOf({ state, reverted_by }: Undoable): 'fully' | 'partly' | undefined {
  if (reverted_by === null || (state !== 'applied' && state !== 'partly_applied')) return undefined
  return reverted_by.fully ? 'fully' : 'partly'
}

type Undoable = Pick<Proposal, 'state' | 'reverted_by'>

export function stateLabel(proposal: Undoable): Label {
  const undone = undoneOf(proposal)
  return undone === undefined ? stateLabels[proposal.state] : undoneLabels[undone]
}

export const originLabels: Record<Origin, string> = {
  api: strings.origins.api,
  console: strings.origins.console,
  import: strings.origins.import,
  filter: strings.origins.filter,
  revert: strings.origins.revert,
  run: strings.origins.run,
}

export const lineStateLabels: Record<LineState, Label> = {
  open: { text: strings.states.open, tone: 'yellow' },
  conflict: { text: strings.lineStates.conflict, tone: 'red' },
  rejected: { text: strings.lineStates.rejected, tone: 'red' },
  applied: { text: strings.states.applied, tone: 'accent' },
  discarded: { text: strings.states.discarded, tone: 'gray' },
}

/** Words for counts, such as "3 conflicts". */
export const lineStateCounts: Record<LineState, readonly [one: string, many: string]> = strings.lineCounts

export const outcomeLabels: Record<Outcome, string> = {
  created: strings.outcomes.created,
  updated: strings.outcomes.updated,
  unchanged: strings.outcomes.unchanged,
  rejected: strings.lineStates.rejected,
}
