import { isDeepStrictEqual } from 'node:util'
import type { EventType } from '../../model/events/event-types.ts'
import { type ChangeAuthor, type ChangedObject, recordEvents } from '../../model/events/record-events.sql.ts'
import type { Queryable } from '../../platform/database/database.ts'
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

/** Records an event for each locked proposal that changed, by its new state. */
export async function recordProposalEvents(
  tx: Queryable,
  projectId: number,
  { actor, source }: ChangeAuthor,
  ...changes: ProposalChange[]
): Promise<void> {
  const byType = Map.groupBy(changes.filter(isChange), typeOf)
  await recordEvents(
    tx,
    projectId,
    ...[...byType].map(([type, some]) => ({ type, actor, source, objects: some.map(objectOf) })),
  )
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
export function showProposal({ token_id: _token, is_late: _late, ...proposal }: ProposalRow) {
  return proposal
}
