import type { Queryable, Transaction, Writable } from '../../platform/database/database.ts'
import type { PushedLine } from '../batches/apply-line.ts'
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
  requireRevision,
  updateProposalState,
} from './proposal.sql.ts'
import { recordProposalEvents } from './proposal-events.ts'
import { listLinesAfter, listTurns, type OpenLine, requireLines, type Wanted } from './proposal-line.sql.ts'

/**
 * Writes the lines of a proposal in batches. The transaction of a batch also stores the states of its lines, so that an interrupted
 * apply can be repeated, and two concurrent requests write each line once.
 */
export async function applyProposal(database: Writable, applying: Applying): Promise<ProposalRow> {
  const { push, proposalId, numbers } = applying
  const { projectId } = push
  const proposal = await requireProposal(database, projectId, proposalId)
  requireAppliable(proposal)
  requireRevision(proposal, applying.revision)
  await requireLines(database, projectId, proposal, numbers)
  const states: LineState[] = numbers === undefined ? ['open'] : ['open', 'conflict']
  const { open, conflict } = proposal.summary.states
  // An apply that was interrupted after its last line still has to set the state of the proposal.
  const isSettled = proposal.state !== 'applying' && proposal.state !== 'open'
  if (isSettled && open + (numbers === undefined ? 0 : conflict) === 0) return proposal
  const reverted = await listReverted(database, projectId, proposal.reverts)
  const before = await findProposals(database, projectId, reverted)
  await database.transaction((tx) => start(tx, applying), { project: projectId })
  const lines = readOpenLines(database, applying, { numbers, states })
  await writeBatches(
    database,
    push,
    lines.turns(),
    async (tx, batch, write) => {
      await applyLines(tx, applying, proposal.written_by, states, batch.map(lines.find), write)
      return batch
    },
    lines.forget,
  )
  return database.transaction((tx) => settle(tx, applying, proposal, before), { project: projectId })
}

/** No one can edit a line between the comparison of the revision and the new state. */
async function start(
  tx: Transaction,
  { push: { projectId }, proposalId, revision }: Applying,
): Promise<void> {
  requireRevision(await lockProposal(tx, projectId, proposalId), revision)
  await markApplying(tx, projectId, proposalId)
}

/** Sets the state of the proposal. An applied revert also changes `reverted_by` of the proposals that it reverts. */
async function settle(
  tx: Transaction,
  { push: { projectId, author }, proposalId }: Applying,
  proposal: ProposalRow,
  reverted: ProposalRow[],
): Promise<ProposalRow> {
  const ids = reverted.map(({ id }) => id)
  const locked = await lockProposal(tx, projectId, proposalId, ids)
  await updateProposalState(tx, projectId, proposalId)
  const after = await requireProposal(tx, projectId, proposalId)
  // A concurrent apply may have reported the state already.
  const reported = locked.state === 'applying' ? proposal.state : locked.state
  const now = new Map((await findProposals(tx, projectId, ids)).map((row) => [row.id, row]))
  const others = reverted.flatMap((before) => {
    const after = now.get(before.id)
    return after === undefined ? [] : [{ before, after }]
  })
  await recordProposalEvents(tx, projectId, author, { before: proposal, after, reported }, ...others)
  return after
}

/**
 * The open lines, in turns: a product comes after the products that it references. Lines stay in memory until they are written.
 * Batches are planned by SKU and size only.
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
