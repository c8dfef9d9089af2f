import { isDeepStrictEqual } from 'node:util'
import { notifyUsers, settleNotifications } from '../../access/notifications/notify-users.ts'
import type { EventType } from '../../model/events/event-types.ts'
import { type ChangeAuthor, type ChangedObject, recordEvents } from '../../model/events/record-events.sql.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { ProposalState } from './proposal.schema.ts'
import type { ProposalRow } from './proposal.sql.ts'

/** `preparing` and `applying` have no event; the state that follows them has one. */
const eventOfState: { [State in ProposalState]?: EventType } = {
  open: 'proposal.opened',
  applied: 'proposal.applied',
  partly_applied: 'proposal.partly_applied',
  discarded: 'proposal.discarded',
  expired: 'proposal.expired',
  failed: 'proposal.failed',
}

export type ProposalChange = {
  /** Null if no event has reported the proposal yet. */
  before: ProposalRow | null
  after: ProposalRow
  /** The state that the last event reported, if it is not that of `before`. */
  reported?: ProposalState
}

/** Records an event for each locked proposal that changed, by its new state, and notifies the people whom it concerns. */
export async function recordProposalEvents(
  tx: Transaction,
  projectId: number,
  author: ChangeAuthor,
  ...changes: ProposalChange[]
): Promise<void> {
  const byType = Map.groupBy(changes.filter(isChange), typeOf)
  const { actor, source } = author
  await recordEvents(
    tx,
    projectId,
    ...[...byType].map(([type, some]) => ({ type, actor, source, objects: some.map(objectOf) })),
  )
  const opened = byType.get('proposal.opened') ?? []
  for (const { after } of opened) await notifyReviewers(tx, projectId, after)
  const decided = [...byType].flatMap(([type, some]) => (decisions.has(type) ? some : []))
  if (decided.length === 0) return
  const ids = decided.map(({ after }) => after.id)
  await settleNotifications(tx, projectId, 'proposal_waiting', ids)
  for (const { after } of decided) await notifyProposer(tx, projectId, author, after)
}

const decisions = new Set<EventType>([
  'proposal.applied',
  'proposal.partly_applied',
  'proposal.discarded',
  'proposal.expired',
  'proposal.failed',
])

/** New proposals share one notification per manager until it is read. The member who made the proposal gets none. */
async function notifyReviewers(tx: Transaction, projectId: number, proposal: ProposalRow): Promise<void> {
  const { id, title, actor } = proposal
  await notifyUsers(tx, {
    ...{ kind: 'proposal_waiting', projectId, to: 'managers', exceptEmail: emailOf(proposal) },
    ...{ subject: '', objectId: id, title, actor },
  })
}

async function notifyProposer(
  tx: Transaction,
  projectId: number,
  { actor, source }: ChangeAuthor,
  proposal: ProposalRow,
): Promise<void> {
  const { id, title, state } = proposal
  const email = emailOf(proposal)
  if (email === undefined || (source === 'console' && actor === email)) return
  await notifyUsers(tx, {
    ...{ kind: 'proposal_decided', projectId, to: { email } },
    ...{ objectId: id, title, state, ...(source !== 'service' && { actor }) },
  })
}

/** The account of the member who made the proposal in the console; tokens and commands have none. */
function emailOf({ token_id, origin, actor }: ProposalRow): string | undefined {
  return token_id === null && origin !== 'api' && origin !== 'import' ? actor : undefined
}

function isChange({ before, after }: ProposalChange): boolean {
  return before === null || !isDeepStrictEqual(showProposal(before), showProposal(after))
}

function typeOf({ before, after, reported = before?.state }: ProposalChange): EventType {
  const isOpenAgain = after.state === 'open' && reported !== undefined
  return (reported !== after.state && !isOpenAgain && eventOfState[after.state]) || 'proposal.updated'
}

function objectOf({ before, after }: ProposalChange): ChangedObject {
  return { id: after.id, before: before && showProposal(before), after: showProposal(after) }
}

/** The proposal as responses show it. */
export function showProposal({
  token_id: _token,
  is_late: _late,
  written_by: _model,
  ...proposal
}: ProposalRow) {
  return proposal
}
