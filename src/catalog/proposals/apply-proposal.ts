import type { Queryable, Transaction, Writable } from '../../platform/database/database.ts'
import type { PushedLine } from '../batches/read-batches.ts'
import { writeBatches } from '../batches/write-batches.ts'
import { type Applying, applyLines } from './apply-lines.ts'
import type { LineState } from './proposal.schema.ts'
import {
  findProposals,
  listReverted,
  lockProposal,
  markApplying,
  type ProposalRow,
  requireAppliable,
  requireProposal,
  settleProposal,
} from './proposal.sql.ts'
import { recordProposalEvents } from './proposal-events.ts'
import { listLinesAfter, listTurns, type OpenLine, requireLines, type Wanted } from './proposal-line.sql.ts'

/**
 * Writes the lines of a proposal in batches, each a transaction with the states of its lines: whoever is cut off goes on by applying
 * again, and of two who apply at once each line is written by one.
 */
export async function applyProposal(database: Writable, applying: Applying): Promise<ProposalRow> {
  const { push, proposalId, numbers } = applying
  const { projectId } = push
  const proposal = await requireProposal(database, projectId, proposalId)
  requireAppliable(proposal)
  await requireLines(database, projectId, proposal, numbers)
  const states: LineState[] = numbers === undefined ? ['open'] : ['open', 'conflict']
  const { open, conflict } = proposal.summary.states
  // One that was cut off after its last line still has to be settled; it is open where others have applied some of it beside.
  const isSettled = proposal.state !== 'applying' && proposal.state !== 'open'
  if (isSettled && open + (numbers === undefined ? 0 : conflict) === 0) return proposal
  const reverted = await listReverted(database, projectId, proposal.reverts)
  const before = await findProposals(database, projectId, reverted)
  await database.transaction((tx) => markApplying(tx, projectId, proposalId), { project: projectId })
  const lines = readOpenLines(database, applying, { numbers, states })
  await writeBatches(
    database,
    push,
    lines.turns(),
    async (tx, batch, write) => {
      await applyLines(tx, applying, states, batch.map(lines.find), write)
      return batch
    },
    lines.forget,
  )
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
  await recordProposalEvents(tx, projectId, author, { before: proposal, after, told }, ...others)
  return after
}

/**
 * The lines in turns: products come after the products that they name. The plan of a batch depends on the products that its lines
 * name, and on the sizes of both. The lines stay in memory until they are written.
 */
function readOpenLines(
  database: Queryable,
  { push: { projectId }, proposalId }: Applying,
  wanted: Wanted,
): {
  turns(): AsyncGenerator<{ batches: AsyncGenerator<PushedLine[]> }>
  find(line: PushedLine): OpenLine
  forget(batch: PushedLine[]): void
} {
  const known = new Map<number, OpenLine>()

  async function* batchesOf(turn: number): AsyncGenerator<PushedLine[]> {
    for (let after = 0; ; ) {
      const place = { turn, after }
      const { lines, areLast } = await listLinesAfter(database, projectId, proposalId, wanted, place)
      if (lines.length === 0) return
      after = (lines.at(-1) as OpenLine).line
      for (const line of lines) known.set(line.line, line)
      yield lines.map(({ line, sku, bytes }) => ({
        line,
        sku: sku ?? '',
        product: { sku: sku ?? '' },
        bytes,
      }))
      if (areLast) return
    }
  }

  return {
    async *turns() {
      for (const turn of await listTurns(database, projectId, proposalId, wanted))
        yield { batches: batchesOf(turn) }
    },
    find: ({ line }) => known.get(line) as OpenLine,
    forget(batch) {
      for (const { line } of batch) known.delete(line)
    },
  }
}
