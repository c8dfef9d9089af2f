import { proposalLimits } from '../../model/limits/proposals.ts'
import { collectAmounts } from '../../model/views/view-amounts.ts'
import { bulkLimits, type Transaction, type Writable } from '../../platform/database/database.ts'
import type { Line } from '../../platform/http/body/split-body.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { Push } from '../batches/apply-batch.ts'
import type { AppliedLine } from '../batches/apply-line.ts'
import { dryRunBatches } from '../batches/dry-run.ts'
import { holdProposed } from '../products/write-products.ts'
import {
  countOpenProposals,
  insertProposal,
  lockErasure,
  type NewProposal,
  type ProposalRow,
} from './proposal.sql.ts'
import { insertLines, type ProposedLine } from './proposal-line.sql.ts'
import { addCounts, type OutcomeCounts, settleProposal } from './proposal-state.ts'
import { freshPaths } from './proposed-changes.ts'
import { proposeLines } from './proposed-line.ts'

type Proposing = Pick<NewProposal, 'title' | 'origin' | 'tokenId'> & { push: Push }

/** Stores what a push of the lines would change, without changing the catalog. Returns the ID of the proposal. */
export function createProposal(
  database: Writable,
  { push, ...proposing }: Proposing,
  lines: (Line | undefined)[],
  report?: { begin(): void; add(applied: AppliedLine[]): void },
): Promise<number> {
  if (lines.length === 0)
    throw new Problem('invalid_body', {
      errors: [{ pointer: '', code: 'too_few', message: 'has no lines; a proposal needs at least one' }],
    })
  const propose = async (tx: Transaction) => {
    report?.begin()
    const { apply, proposed } = proposeLines(push.ruleset)
    const { views } = push.ruleset
    const { amounts, add: addAmounts } = collectAmounts()
    const { id } = await openProposal(tx, push, proposing, async (add) => {
      // The lines are retained because a transaction that loses its connection starts again.
      for await (const batch of dryRunBatches(tx, push, lines, { apply, retain: true })) {
        for (const { changes } of batch.applied) if (changes) addAmounts({ ...changes, views })
        const paths = freshPaths(batch.freshCategories)
        await add(batch.applied.map((line) => proposed(line, paths, batch.turn)))
        report?.add(batch.applied)
      }
      await holdProposed(tx, push.projectId, amounts)
    })
    return id
  }
  return database.transaction(propose, { ...bulkLimits, project: push.projectId })
}

/** Stores an open proposal with the lines that `addLines` adds, and its event. No product is erased until the transaction ends. */
export async function openProposal(
  tx: Transaction,
  { projectId, author }: Push,
  proposing: Omit<NewProposal, 'actor' | 'state'>,
  addLines: (add: (rows: readonly ProposedLine[]) => Promise<void>) => Promise<void>,
): Promise<ProposalRow> {
  await checkOpenLimit(tx, projectId, proposing.tokenId)
  await lockErasure(tx, projectId, false)
  const id = await insertProposal(tx, projectId, { ...proposing, actor: author.actor, state: 'open' })
  await addLines(async (rows) => {
    await insertLines(tx, projectId, id, rows)
    await addCounts(tx, projectId, id, { ...countOutcomes(rows), lines: rows.length })
  })
  return settleProposal(tx, projectId, author, { id, before: null })
}

export async function checkOpenLimit(
  tx: Transaction,
  projectId: number,
  tokenId: number | null,
): Promise<void> {
  const open = await countOpenProposals(tx, projectId, tokenId)
  if (open.all >= proposalLimits.open) throw new Problem('too_many_proposals')
  if (open.ofToken < proposalLimits.openPerToken) return
  throw new Problem('too_many_proposals', {
    detail: `The token has ${proposalLimits.openPerToken} open proposals, which is the limit. Apply or discard some of them first.`,
  })
}

/** The counts that prepared lines add to their proposal. */
export function countOutcomes(lines: readonly Pick<ProposedLine, 'outcome'>[]): OutcomeCounts & {
  prepared: number
  open: number
} {
  const counts: OutcomeCounts = {}
  for (const { outcome } of lines) counts[outcome] = (counts[outcome] ?? 0) + 1
  return { ...counts, prepared: lines.length, open: lines.length - (counts.rejected ?? 0) }
}
