import type { ChangeAuthor } from '../../model/events/record-events.sql.ts'
import { bulkLimits, type Transaction, type Writable } from '../../platform/database/database.ts'
import { deleteJob } from '../../platform/jobs/job.sql.ts'
import { addModelOutcomes } from '../prompts/model-outcomes.sql.ts'
import { preparationJob } from './preparation.sql.ts'
import { type ProposalRow, requireProposal } from './proposal.sql.ts'
import { discardLines, requireLines } from './proposal-line.sql.ts'
import {
  addCounts,
  discardPreparing,
  lockProposal,
  reportProposal,
  requireAppliable,
  requireOwn,
  settleProposal,
} from './proposal-state.ts'

type Discarding = {
  projectId: number
  author: ChangeAuthor
  id: number
  /** Only these lines. By default, all lines that are not written. */
  numbers: number[] | undefined
  /** Set if the caller may discard only the proposals of this token. */
  onlyTokenId: number | null
}

export function discardProposal(
  writable: Writable,
  { projectId, author, id, numbers, onlyTokenId }: Discarding,
): Promise<ProposalRow> {
  return writable.transaction(
    async (tx) => {
      const proposal = await requireProposal(tx, projectId, id)
      requireOwn(proposal, onlyTokenId, 'discard')
      if (proposal.state === 'discarded') return proposal
      if (proposal.state === 'preparing' && numbers === undefined) {
        const discarded = await discardWhilePreparing(tx, projectId, author, id)
        if (discarded !== undefined) return discarded
      }
      requireAppliable(proposal.state === 'preparing' ? await requireProposal(tx, projectId, id) : proposal)
      await requireLines(tx, projectId, proposal, numbers)
      const found = await discardLines(tx, projectId, id, numbers)
      const left = Object.fromEntries(found.map(({ state, count }) => [state, -count]))
      const discarded = found.reduce((sum, { count }) => sum + count, 0)
      // Locked after its lines, in the same order as an apply.
      const before = await lockProposal(tx, projectId, id)
      await addCounts(tx, projectId, id, { ...left, discarded })
      const after = await settleProposal(tx, projectId, author, { id, before })
      if (proposal.written_by !== null)
        await addModelOutcomes(tx, projectId, [{ ...proposal.written_by, rejected: discarded }])
      return after
    },
    { ...bulkLimits, project: projectId },
  )
}

/** Returns undefined if the preparation has finished. Locks the proposal before its lines, in the same order as a preparation. */
async function discardWhilePreparing(
  tx: Transaction,
  projectId: number,
  author: ChangeAuthor,
  id: number,
): Promise<ProposalRow | undefined> {
  const before = await lockProposal(tx, projectId, id)
  if (before.state !== 'preparing') return undefined
  await discardPreparing(tx, projectId, id)
  await deleteJob(tx, preparationJob({ projectId, id }))
  return reportProposal(tx, projectId, author, { id, before: null })
}
