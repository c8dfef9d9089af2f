import { setTimeout as sleep } from 'node:timers/promises'
import { applyProposal } from '../../../catalog/proposals/apply-proposal.ts'
import { lockLines } from '../../../catalog/proposals/open-line.sql.ts'
import { prepareProposal } from '../../../catalog/proposals/prepare-proposals.ts'
import { type ProposalRow, requireProposal } from '../../../catalog/proposals/proposal.sql.ts'
import { prepareReverts } from '../../../catalog/proposals/revert/prepare-reverts.ts'
import { revertProposal } from '../../../catalog/proposals/revert/revert-proposal.ts'
import { currentRuleset } from '../../../catalog/rulesets/rulesets.ts'
import type { Database } from '../../../platform/database/database.ts'
import { repeat } from '../../../platform/scheduling/retry.ts'
import { progressBar } from '../../../platform/terminal/progress.ts'
import { commandLineAuthor } from '../../command-line-actor.ts'
import { commandLimits } from '../../limits.ts'

/** `failed` counts lines in conflict or rejected: among the selected lines, or among all that were not rejected from the start. */
type Applied = { proposal: ProposalRow; failed: number }

export async function applyWithProgress(
  database: Database,
  projectId: number,
  id: number,
  numbers: number[] | undefined,
  overwrite: boolean,
  revision: number | undefined,
): Promise<Applied> {
  const author = { ...commandLineAuthor(), proposal: id }
  const ruleset = await currentRuleset(database, projectId)
  const push = { projectId, author, ruleset, mode: 'upsert' } as const
  const applying = { push, proposalId: id, reviewer: author.actor, numbers, overwrite, revision }
  const before = await requireProposal(database, projectId, id)
  const stop = showProgress(database, projectId, before, numbers)
  const proposal = await applyProposal(database, applying).finally(stop)
  return { proposal, failed: await countFailed(database, projectId, proposal, numbers) }
}

/** Shows how many lines are decided, until the returned function is called. */
function showProgress(
  database: Database,
  projectId: number,
  { id, summary }: ProposalRow,
  numbers: number[] | undefined,
): () => Promise<void> {
  const progress = progressBar('lines')
  const total = numbers?.length ?? summary.states.open
  const stopping = new AbortController()
  const { signal } = stopping

  async function poll(): Promise<void> {
    while (!signal.aborted) {
      await sleep(commandLimits.progressMilliseconds, undefined, { signal })
      const { states } = (await requireProposal(database, projectId, id)).summary
      const done = summary.states.open - states.open
      progress.show(done, total === 0 ? undefined : done / total)
    }
  }

  // applyProposal reports what goes wrong with the proposal.
  const polling = poll().catch(() => {})
  return async () => {
    stopping.abort()
    await polling
    progress.end()
  }
}

async function countFailed(
  database: Database,
  projectId: number,
  { id, summary: { states, outcomes } }: ProposalRow,
  numbers: number[] | undefined,
): Promise<number> {
  if (numbers === undefined) return states.conflict + states.rejected - outcomes.rejected
  const failed = await database.transaction((tx) =>
    lockLines(tx, projectId, id, numbers, ['conflict', 'rejected']),
  )
  return failed.length
}

/** Prepares the lines here, because a command has no background jobs, unless a running service does it first. */
export async function revertAndPrepare(
  database: Database,
  projectId: number,
  revertedId: number,
): Promise<ProposalRow> {
  const { actor } = commandLineAuthor()
  const { id } = await revertProposal(database, { projectId, id: revertedId, actor, tokenId: null })
  const { signal } = new AbortController()
  const prepared = await repeat({ pauses: [commandLimits.progressMilliseconds] }, async () => {
    await prepareProposal(
      database,
      prepareReverts,
      { projectId, id },
      { signal, endsAt: Number.POSITIVE_INFINITY },
    )
    const proposal = await requireProposal(database, projectId, id)
    return proposal.state === 'preparing' ? undefined : proposal
  })
  return prepared as ProposalRow
}
