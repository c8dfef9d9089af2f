import type { Proposal, ProposalLine } from '../wire.ts'

export type ProposalState = Proposal['state']
export type Origin = Proposal['origin']
export type LineState = ProposalLine['state']
export type Outcome = NonNullable<ProposalLine['outcome']>

type Word = { text: string; tone: 'accent' | 'gray' | 'yellow' | 'red' }

export const stateWords: Record<ProposalState, Word> = {
  preparing: { text: 'Preparing', tone: 'yellow' },
  open: { text: 'Open', tone: 'yellow' },
  applying: { text: 'Applying', tone: 'yellow' },
  applied: { text: 'Applied', tone: 'accent' },
  partly_applied: { text: 'Partly applied', tone: 'accent' },
  discarded: { text: 'Discarded', tone: 'gray' },
  expired: { text: 'Expired', tone: 'gray' },
  failed: { text: 'Failed', tone: 'red' },
}

const undoneWords: Record<'fully' | 'partly', Word> = {
  fully: { text: 'Undone', tone: 'gray' },
  partly: { text: 'Partly undone', tone: 'yellow' },
}

/** What has become of what a proposal changed: nothing of it is left, some of it, or all. */
export function undoneOf({ state, reverted_by }: Undoable): 'fully' | 'partly' | undefined {
  if (reverted_by === null || (state !== 'applied' && state !== 'partly_applied')) return undefined
  return reverted_by.fully ? 'fully' : 'partly'
}

type Undoable = Pick<Proposal, 'state' | 'reverted_by'>

export function stateWord(proposal: Undoable): Word {
  const undone = undoneOf(proposal)
  return undone === undefined ? stateWords[proposal.state] : undoneWords[undone]
}

export const originWords: Record<Origin, string> = {
  api: 'API',
  console: 'Console',
  import: 'Import',
  filter: 'Bulk edit',
  revert: 'Undo',
}

export const lineStateWords: Record<LineState, Word> = {
  open: { text: 'Open', tone: 'yellow' },
  conflict: { text: 'Conflict', tone: 'red' },
  rejected: { text: 'Rejected', tone: 'red' },
  applied: { text: 'Applied', tone: 'accent' },
  discarded: { text: 'Discarded', tone: 'gray' },
}

/** What a line is counted as: "3 conflicts". */
export const lineStateCounts: Record<LineState, [one: string, many: string]> = {
  open: ['open', 'open'],
  conflict: ['conflict', 'conflicts'],
  rejected: ['rejected', 'rejected'],
  applied: ['applied', 'applied'],
  discarded: ['discarded', 'discarded'],
}

export const outcomeWords: Record<Outcome, string> = {
  created: 'New product',
  updated: 'Change',
  unchanged: 'No change',
  rejected: 'Rejected',
}

/** Of the keys of a table above: what an address names that is none of them is left out. */
export function knownKey<Key extends string>(table: Record<Key, unknown>, value: unknown): Key | undefined {
  return typeof value === 'string' && Object.hasOwn(table, value) ? (value as Key) : undefined
}
