import type { Transaction, Writable } from '../../platform/database/database.ts'
import { type PushedLine, planBatches } from '../batches/read-batches.ts'
import type { VariantCounts } from '../batches/refuse-lines.ts'
import { runBatches } from '../batches/run-batches.ts'
import { type Applying, applyBatch } from './apply-batch.ts'
import type { LineState } from './proposal.schema.ts'
import {
  findProposals,
  lockProposal,
  markApplying,
  type ProposalRow,
  requireProposal,
  settleProposal,
} from './proposal.sql.ts'
import { listLinesAfter, listTurns, type OpenLine, type Wanted } from './proposal-line.sql.ts'
import { refuseUnknownLines, requireAppliable } from './require-lines.ts'
import { listReverted } from './reverted-by.sql.ts'
import { tellProposals } from './tell-proposal.ts'

/**
 * Writes the lines of a proposal in batches, each a transaction with the states of its lines: whoever is cut off goes on by applying
 * again, and of two who apply at once each line is written by one.
 */
export async function applyProposal(database: Writable, applying: Applying): Promise<ProposalRow> {
  const { push, proposalId, numbers } = applying
  const { projectId } = push
  const proposal = await requireProposal(database, projectId, proposalId)
  requireAppliable(proposal)
  await refuseUnknownLines(database, projectId, proposal, numbers)
  const states: LineState[] = numbers === undefined ? ['open'] : ['open', 'conflict']
  const { open, conflict } = proposal.summary.states
  // One that was cut off after its last line still has to be settled; it is open where others have applied some of it beside.
  const isSettled = proposal.state !== 'applying' && proposal.state !== 'open'
  if (isSettled && open + (numbers === undefined ? 0 : conflict) === 0) return proposal
  const reverted = await listReverted(database, projectId, proposal.reverts)
  const before = await findProposals(database, projectId, reverted)
  await database.transaction((tx) => markApplying(tx, projectId, proposalId), { project: projectId })
  const variantCounts: VariantCounts = new Map()
  const wanted = { numbers, states }
  for (const turn of await listTurns(database, projectId, proposalId, wanted))
    await applyTurn(database, applying, wanted, turn, variantCounts)
  return database.transaction((tx) => settle(tx, applying, proposal, before), { project: projectId })
}

/** A revert that is applied changes what `reverted_by` says of those that it takes back. */
async function settle(
  tx: Transaction,
  { push: { projectId, author }, proposalId }: Applying,
  proposal: ProposalRow,
  reverted: ProposalRow[],
): Promise<ProposalRow> {
  const ids = reverted.map(({ id }) => id)
  const held = await lockProposal(tx, projectId, proposalId, ids)
  await settleProposal(tx, projectId, proposalId)
  const after = await requireProposal(tx, projectId, proposalId)
  // Whoever has applied it beside may have told its state already.
  const told = held.state === 'applying' ? proposal.state : held.state
  const now = new Map((await findProposals(tx, projectId, ids)).map((row) => [row.id, row]))
  const others = reverted.flatMap((before) => {
    const after = now.get(before.id)
    return after === undefined ? [] : [{ before, after }]
  })
  await tellProposals(tx, projectId, author, { before: proposal, after, told }, ...others)
  return after
}

/** The lines of a turn, before those of the next: products come after those that they name. */
async function applyTurn(
  database: Writable,
  applying: Applying,
  wanted: Wanted,
  turn: number,
  variantCounts: VariantCounts,
): Promise<void> {
  const { push, proposalId } = applying
  const { projectId } = push
  const known = new Map<number, OpenLine>()

  async function* read(): AsyncGenerator<PushedLine[]> {
    for (let after = 0; ; ) {
      const { lines, areLast } = await listLinesAfter(database, projectId, proposalId, wanted, {
        turn,
        after,
      })
      if (lines.length === 0) return
      after = (lines.at(-1) as OpenLine).line
      for (const line of lines) known.set(line.line, line)
      yield lines.map(named)
      if (areLast) return
    }
  }

  await runBatches(
    planBatches(database, projectId, read(), true),
    async (batch) => {
      const lines = batch.lines.map(({ line }) => known.get(line) as OpenLine)
      for (const { line } of lines) known.delete(line)
      await applyBatch(database, applying, wanted, { lines, ids: batch.ids, variantCounts })
    },
    () => {},
  )
}

/** Batches are planned by the products that lines name, and by how large those and the lines are. */
function named({ line, sku, bytes }: OpenLine): PushedLine {
  return { line, sku: sku ?? '', product: { sku: sku ?? '' }, bytes }
}
