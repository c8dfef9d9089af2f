import type { ChangeAuthor } from '../../model/events/record-events.sql.ts'
import { bulkLimits, type Transaction, type Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { deleteJob } from '../../platform/jobs/job.sql.ts'
import { preparationJob } from './preparation.sql.ts'
import {
  addCounts,
  discardPreparing,
  lockProposal,
  type ProposalRow,
  requireAppliable,
  requireProposal,
  settleProposal,
} from './proposal.sql.ts'
import { recordProposalEvents } from './proposal-events.ts'
import { discardLines, requireLines } from './proposal-line.sql.ts'

type Discarding = {
  projectId: number
  author: ChangeAuthor
  id: number
  /** Only lines that are not written yet; all of them unless some are named. */
  numbers: number[] | undefined
  /** The token that may discard only its own; null for whoever may discard all. */
  onlyTokenId: number | null
}

export function discardProposal(
  writable: Writable,
  { projectId, author, id, numbers, onlyTokenId }: Discarding,
): Promise<ProposalRow> {
  return writable.transaction(
    async (tx) => {
      const proposal = await requireProposal(tx, projectId, id)
      if (onlyTokenId !== null && proposal.token_id !== onlyTokenId)
        throw new Problem('insufficient_scope', {
          detail: `Proposal ${id} comes from somebody else; to discard it the token needs the scope products:write.`,
        })
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
      // After its lines, as those who apply them do.
      const before = await lockProposal(tx, projectId, id)
      await addCounts(tx, projectId, id, { ...left, discarded })
      await settleProposal(tx, projectId, id)
      const after = await requireProposal(tx, projectId, id)
      await recordProposalEvents(tx, projectId, author, { before, after })
      return after
    },
    { ...bulkLimits, project: projectId },
  )
}

/** Undefined where it was prepared meanwhile. Whoever prepares it holds it before its lines, and so does this. */
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
  const after = await requireProposal(tx, projectId, id)
  await recordProposalEvents(tx, projectId, author, { before: null, after })
  return after
}
