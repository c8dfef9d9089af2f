import { isDeepStrictEqual } from 'node:util'
import type { EventType } from '../../model/events/event-types.ts'
import { type ChangeAuthor, type ChangedObject, recordEvents } from '../../model/events/record-events.sql.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { ProposalState } from './proposal.schema.ts'
import type { ProposalRow } from './proposal.sql.ts'

/** While a proposal is prepared or applied its state is told by nobody: what comes of that is. */
const eventOfState: { [State in ProposalState]?: EventType } = {
  open: 'proposal.opened',
  applied: 'proposal.applied',
  partly_applied: 'proposal.partly_applied',
  discarded: 'proposal.discarded',
  expired: 'proposal.expired',
  failed: 'proposal.failed',
}

export type ProposalChange = {
  /** Null for one that nobody was told of. */
  before: ProposalRow | null
  after: ProposalRow
  /** The state that was told last, where others have told another one since. */
  told?: ProposalState
}

/** Tells of proposals of a project that are held, each by the state that it has come to, unless it is what it was. */
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

function typeOf({ before, after, told = before?.state }: ProposalChange): EventType {
  const isOpenAgain = after.state === 'open' && told !== undefined
  return (told !== after.state && !isOpenAgain && eventOfState[after.state]) || 'proposal.updated'
}

function objectOf({ before, after }: ProposalChange): ChangedObject {
  return { id: after.id, before: before && showProposal(before), after: showProposal(after) }
}

/** As answers show it. */
export function showProposal({ token_id: _token, is_late: _late, ...proposal }: ProposalRow) {
  return proposal
}
