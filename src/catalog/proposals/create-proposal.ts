import type { Transaction, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { Line } from '../../platform/http/request/split-body.ts'
import type { AppliedLine, Push } from '../batches/apply-lines.ts'
import { type Report, verdictOf } from '../batches/verdicts.ts'
import { dryRunInBatches } from '../push/dry-run.ts'
import { bulkLimits } from '../push/push-products.ts'
import { patchOf } from './line-patch.ts'
import { baseVersion } from './merge-line.ts'
import { noteLines } from './note-lines.ts'
import {
  countLines,
  countOpenProposals,
  insertProposal,
  lockErasure,
  type NewProposal,
  type OutcomeCounts,
  requireProposal,
  settleProposal,
} from './proposal.sql.ts'
import { insertLines, type ProposedLine } from './proposal-line.sql.ts'
import { type FreshPaths, freshPaths, proposedChanges } from './proposed-changes.ts'
import { tellProposals } from './tell-proposal.ts'

const mostOpen = 1_000

type Proposing = Pick<NewProposal, 'title' | 'origin' | 'tokenId'> & { push: Push }

/** Keeps what a push of the lines would do, and changes nothing of the catalog. Returns the id of the proposal. */
export function createProposal(
  database: Writable,
  { push, ...proposing }: Proposing,
  lines: (Line | undefined)[],
  report?: Report,
): Promise<number> {
  if (lines.length === 0)
    throw new Problem('invalid_body', {
      errors: [{ pointer: '', code: 'too_few', message: 'has no line; a proposal has at least one' }],
    })
  const { projectId, author, ruleset } = push
  const propose = async (tx: Transaction) => {
    report?.begin()
    await refuseTooMany(tx, projectId)
    await lockErasure(tx, projectId, false)
    const id = await insertProposal(tx, projectId, { ...proposing, actor: author.actor, state: 'open' })
    const { apply, noteOf } = noteLines(ruleset)
    // Kept until the end: a transaction that lost its connection begins anew.
    for await (const batch of dryRunInBatches(tx, push, lines, { apply, keep: true })) {
      const paths = freshPaths(batch.freshCategories)
      const proposed = batch.applied.map((line) => proposedLine(line, noteOf(line.line), paths, batch.turn))
      await insertLines(tx, projectId, id, proposed)
      await countProposed(tx, projectId, id, proposed)
      report?.tell(batch.applied.map(verdictOf))
    }
    await settleProposal(tx, projectId, id)
    const after = await requireProposal(tx, projectId, id)
    await tellProposals(tx, projectId, author, { before: null, after })
    return id
  }
  return database.transaction(propose, { ...bulkLimits, project: projectId })
}

export async function refuseTooMany(tx: Transaction, projectId: number): Promise<void> {
  if ((await countOpenProposals(tx, projectId)) < mostOpen) return
  throw new Problem('too_many_proposals')
}

type Note = ReturnType<ReturnType<typeof noteLines>['noteOf']>

export function proposedLine(
  applied: AppliedLine,
  note: Note,
  paths: FreshPaths,
  turn: number,
): ProposedLine {
  const { line, sku, product, outcome } = applied
  const { errors, warnings = null } = verdictOf(applied)
  const isRejected = outcome === 'rejected'
  const changes = isRejected ? null : proposedChanges(applied, paths)
  return {
    line,
    product_id: product?.id ?? null,
    sku,
    turn,
    outcome,
    state: isRejected ? 'rejected' : 'open',
    changes,
    patch: changes && patchOf(outcome, changes),
    base_version: baseVersion(changes, note.version),
    categories: null,
    provenance: note.provenance,
    score_before: note.before,
    score_after: note.after,
    errors: errors.length === 0 ? null : errors,
    warnings,
  }
}

async function countProposed(
  tx: Transaction,
  projectId: number,
  id: number,
  lines: readonly ProposedLine[],
): Promise<void> {
  await countLines(tx, projectId, id, { ...countsOf(lines), lines: lines.length })
}

/** Of lines that have been prepared. */
export function countsOf(lines: readonly Pick<ProposedLine, 'outcome'>[]): OutcomeCounts & {
  prepared: number
  open: number
} {
  const counts: OutcomeCounts = {}
  for (const { outcome } of lines) counts[outcome] = (counts[outcome] ?? 0) + 1
  return { ...counts, prepared: lines.length, open: lines.length - (counts.rejected ?? 0) }
}
