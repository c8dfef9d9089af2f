import type { Actor } from '../../access/audit/audit.sql.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { findProposals, type ProposalRow, settleProposal } from './proposal.sql.ts'
import { recordProposalEvents } from './proposal-events.ts'

/** A proposal, and how many of its lines were discarded, by the state that they were in. */
export type ErasedLines = { id: number; open: number; conflict: number }

/** The state of proposals that some of their lines have left, which are counted already, because their product is erased. */
export async function closeErasedLines(
  tx: Transaction,
  projectId: number,
  { name: actor }: Actor,
  left: readonly ErasedLines[],
): Promise<void> {
  if (left.length === 0) return
  const linesOf = new Map(left.map((lines) => [lines.id, lines]))
  // What is being prepared is told when it is ready.
  const counted = (await findProposals(tx, projectId, [...linesOf.keys()])).filter(
    ({ state }) => state !== 'preparing',
  )
  const undecided = counted.filter(({ state }) => ['open', 'applying', 'partly_applied'].includes(state))
  await settleProposal(tx, projectId, ...undecided.map(({ id }) => id))
  const settled = new Map(
    (await findProposals(tx, projectId, [...linesOf.keys()])).map((row) => [row.id, row]),
  )
  const changes = counted.map((row) => ({
    before: beforeErasure(row, linesOf.get(row.id) as ErasedLines),
    after: settled.get(row.id) as ProposalRow,
  }))
  await recordProposalEvents(tx, projectId, { actor, source: 'cli' }, ...changes)
}

function beforeErasure(row: ProposalRow, { open, conflict }: ErasedLines): ProposalRow {
  const { states } = row.summary
  const before = {
    ...states,
    open: states.open + open,
    conflict: states.conflict + conflict,
    discarded: states.discarded - open - conflict,
  }
  return { ...row, summary: { ...row.summary, states: before } }
}
