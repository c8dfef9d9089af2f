import { changedFields } from '../../model/fields/changed-fields.ts'
import { fieldPointer } from '../../model/fields/field-paths.ts'
import type { NewEntries } from '../../model/provenance/entries.ts'
import { findFormerAmounts } from '../../model/views/view-amounts.ts'
import type { Queryable, Transaction, Writable } from '../../platform/database/database.ts'
import type { BodyError } from '../../platform/http/problems.ts'
import type { Push } from '../batches/apply-batch.ts'
import { type AppliedLine, type PushedLine, rejectLine } from '../batches/apply-line.ts'
import { errorsOf } from '../batches/line-errors.ts'
import { type PlannedLine, type WriteLines, writeBatches } from '../batches/write-batches.ts'
import { addModelOutcomes, type ModelKey } from '../prompts/model-outcomes.sql.ts'
import { countDecisions } from './count-decisions.ts'
import {
  changedSince,
  conflictsOf,
  newStock,
  patchFromChanges,
  pushedLine,
  stockChanges,
} from './merge-line.ts'
import {
  type AppliedState,
  type CurrentProducts,
  findChanges,
  findCurrentProducts,
  listLinesAfter,
  listTurns,
  lockLines,
  type OpenLine,
  updateLines,
  type Wanted,
  withCreatedProducts,
} from './open-line.sql.ts'
import type { LineState } from './proposal.schema.ts'
import { findProposals, listReverted, type ProposalRow, requireProposal } from './proposal.sql.ts'
import { type Changes, type Conflicts, requireLines } from './proposal-line.sql.ts'
import {
  addCounts,
  lockProposal,
  markApplying,
  requireAppliable,
  requireRevision,
  type StateCounts,
  settleProposal,
} from './proposal-state.ts'

export type Applying = {
  push: Push
  proposalId: number
  /** Who applies it; stored as the reviewer of fields that a prompt wrote. */
  reviewer: string
  /** Only these lines, including those in conflict. */
  numbers: number[] | undefined
  /** Writes lines in conflict over the changes of others. */
  overwrite: boolean
  /** Only if the proposal has this revision, and only lines that no one has edited since. */
  revision: number | undefined
}

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
  const wanted = { numbers, states }
  // A revert proposes values from before the proposal that it reverts.
  const { created_at: proposedAt } = before.find(({ id }) => id === proposal.reverts) ?? proposal
  const lineRules = { states, writtenBy: proposal.written_by, proposedAt }
  await writeBatches(database, push, openLines(database, projectId, proposalId, wanted), (tx, lines, write) =>
    applyLines(tx, applying, lineRules, lines, write),
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
  // A concurrent apply may have reported the state already.
  const reported = locked.state === 'applying' ? proposal.state : locked.state
  const changed = { id: proposalId, before: proposal, reported }
  const others = reverted.map((before) => ({ id: before.id, before }))
  return settleProposal(tx, projectId, author, changed, ...others)
}

/** The open lines, in turns: a product comes after the products that it references. */
async function* openLines(database: Queryable, projectId: number, proposalId: number, wanted: Wanted) {
  async function* batchesOf(turn: number): AsyncGenerator<PlannedLine[]> {
    for (let after = 0, isEnd = false; !isEnd; ) {
      const place = { turn, after }
      const { lines, areLast } = await listLinesAfter(database, projectId, proposalId, wanted, place)
      if (lines.length > 0) yield lines
      after = lines.at(-1)?.line ?? after
      isEnd = areLast || lines.length === 0
    }
  }

  for (const turn of await listTurns(database, projectId, proposalId, wanted))
    yield { batches: batchesOf(turn) }
}

type LineRules = { states: LineState[]; writtenBy: ModelKey | null; proposedAt: string }

/** Writes lines and their states in the transaction of a batch. Skips lines that another request has written since. */
async function applyLines(
  tx: Transaction,
  applying: Applying,
  { states, writtenBy, proposedAt }: LineRules,
  planned: readonly PlannedLine[],
  write: WriteLines,
): Promise<void> {
  const { projectId } = applying.push
  const { proposalId, revision } = applying
  const numbers = planned.map(({ line }) => line)
  const locked = await lockLines(tx, projectId, proposalId, numbers, states, revision)
  if (locked.length === 0) return
  const named = await withCreatedProducts(tx, projectId, proposalId, locked)
  const products = await findCurrentProducts(tx, projectId, named, true)
  const lines = await withChanges(tx, projectId, proposalId, named, products)
  const pushed = lines.map((line) => asPushed(line, products, applying, proposedAt))
  const results = await writeMerged(write, applying.overwrite, lines, pushed, products)
  await updateLines(tx, projectId, proposalId, results)
  await addCounts(tx, projectId, proposalId, countStates(locked, results))
  if (writtenBy === null) return
  await addModelOutcomes(tx, projectId, [{ ...writtenBy, ...countDecisions(results, locked) }])
}

/** Adds the proposed changes to lines whose product has another version, or several lines, and may have conflicts. */
async function withChanges(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  lines: OpenLine[],
  { byId }: CurrentProducts,
): Promise<OpenLine[]> {
  const counts = new Map<number | null, number>()
  for (const { product_id } of lines) counts.set(product_id, (counts.get(product_id) ?? 0) + 1)
  const isUntouched = ({ outcome, product_id, base_version }: OpenLine) =>
    outcome === 'created' ||
    (product_id !== null && counts.get(product_id) === 1 && byId.get(product_id)?.version === base_version)
  const numbers = lines.flatMap((line) => (line.changes === null && !isUntouched(line) ? line.line : []))
  if (numbers.length === 0) return lines
  const changes = await findChanges(tx, projectId, proposalId, numbers)
  return lines.map((line) => ({ ...line, changes: changes.get(line.line) ?? line.changes }))
}

function asPushed(
  line: OpenLine,
  products: CurrentProducts,
  { push, reviewer }: Applying,
  proposedAt: string,
): PushedLine {
  const pushed = pushedLine(line, products)
  if ('errors' in pushed) return pushed
  const amounts = findFormerAmounts(pushed.product.views, push.ruleset.views, proposedAt)
  if (amounts.length > 0) return { line: line.line, sku: line.sku, errors: amounts.map(formerCurrency) }
  return {
    ...pushed,
    ...(line.provenance && { provenance: reviewedEntries(line.provenance, reviewer) }),
  }
}

function formerCurrency(path: string): BodyError {
  const message = 'is in a former currency of the view; propose it again'
  return { pointer: fieldPointer(path), code: 'view_currency_changed', message }
}

/** Writes lines whose products are locked. A line with a field that someone else changed becomes a conflict. */
async function writeMerged(
  write: WriteLines,
  overwrite: boolean,
  lines: readonly OpenLine[],
  pushed: PushedLine[],
  products: CurrentProducts,
): Promise<AppliedState[]> {
  const byLine = new Map(lines.map((line) => [line.line, line]))
  const conflicts = new Map<number, Conflicts>()
  const locked = new Map([...products.byId.values()].map(({ id, sku }) => [sku, id]))
  const applied = await write(pushed, {
    locked,
    apply(line, product, apply) {
      const proposed = byLine.get(line.line) as OpenLine
      const skipsMerge = 'errors' in line || (overwrite && proposed.state === 'conflict')
      const found = skipsMerge ? {} : conflictsOf(proposed, product)
      if (Object.keys(found).length === 0) {
        conflicts.delete(line.line)
        return apply()
      }
      conflicts.set(line.line, found)
      return rejectLine(line, changedSince(found, product?.id), product)
    },
  })
  return applied.map((line) =>
    resultOf(line, byLine.get(line.line) as OpenLine, conflicts.get(line.line) ?? null),
  )
}

/** An entry with a time is restored by a revert, and keeps its reviewer. */
function reviewedEntries(provenance: NewEntries, reviewer: string): NewEntries {
  const entries = Object.entries(provenance)
  return Object.fromEntries(
    entries.map(([field, entry]) => [
      field,
      entry.at === undefined ? { ...entry, reviewed_by: reviewer } : entry,
    ]),
  )
}

function resultOf(applied: AppliedLine, proposed: OpenLine, conflicts: Conflicts | null): AppliedState {
  const { line, product, outcome, version } = applied
  if (outcome === 'rejected')
    return {
      line,
      state: conflicts === null ? 'rejected' : 'conflict',
      product_id: null,
      version: null,
      stock: null,
      errors: errorsOf(applied),
      conflicts,
    }
  const stock = writtenStock(applied, proposed)
  return {
    line,
    state: 'applied',
    product_id: product?.id ?? null,
    version,
    stock,
    errors: null,
    conflicts: null,
  }
}

/** Stock changes, which the history does not record. A new product has the proposed stock. */
function writtenStock({ outcome, changes }: AppliedLine, proposed: OpenLine): Changes | null {
  if (outcome === 'created') return newStock(proposed.patch ?? patchFromChanges(outcome, proposed.changes))
  if (changes === undefined || !('inventory' in changes.after)) return null
  return stockChanges(changedFields(changes))
}

function countStates(lines: readonly OpenLine[], results: readonly AppliedState[]): StateCounts {
  const counts: Record<string, number> = {}
  const count = (state: LineState, by: number) => {
    const name = state === 'rejected' ? 'refused' : state
    counts[name] = (counts[name] ?? 0) + by
  }
  for (const { state } of lines) count(state, -1)
  for (const { state } of results) count(state, 1)
  return counts
}
