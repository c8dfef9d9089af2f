import type { Actor } from '../../access/audit/audit.sql.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { findProposals, type ProposalRow } from './proposal.sql.ts'
import { recordProposalEvents, updateProposalState } from './proposal-state.ts'

/** The lines of a proposal that were discarded because their product was erased, by former state. */
export type ErasedLines = { id: number; open: number; conflict: number }

/** Updates the state of proposals after lines of erased products were discarded and counted. */
export async function closeErasedLines(
  tx: Transaction,
  projectId: number,
  { name: actor }: Actor,
  erased: readonly ErasedLines[],
): Promise<void> {
  if (erased.length === 0) return
  const linesById = new Map(erased.map((lines) => [lines.id, lines]))
  // A proposal in preparation has its event when it is ready.
  const counted = (await findProposals(tx, projectId, [...linesById.keys()])).filter(
    ({ state }) => state !== 'preparing',
  )
  const undecided = counted.filter(({ state }) => ['open', 'applying', 'partly_applied'].includes(state))
  await updateProposalState(tx, projectId, ...undecided.map(({ id }) => id))
  const settled = new Map(
    (await findProposals(tx, projectId, [...linesById.keys()])).map((row) => [row.id, row]),
  )
  const changes = counted.map((row) => ({
    before: beforeErasure(row, linesById.get(row.id) as ErasedLines),
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
