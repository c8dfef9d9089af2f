import { changedFields } from '../../model/fields/changed-fields.ts'
import type { NewEntries } from '../../model/provenance/entries.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Push } from '../batches/apply-batch.ts'
import { type AppliedLine, rejectLine } from '../batches/apply-line.ts'
import { errorsOf } from '../batches/line-errors.ts'
import type { WriteLines } from '../batches/write-batches.ts'
import { addModelOutcomes, type ModelKey } from '../prompts/model-outcomes.sql.ts'
import { countDecisions } from './count-decisions.ts'
import { changedSince, conflictsOf, isFollowing, newStock, stockChanges } from './merge-line.ts'
import type { LineState } from './proposal.schema.ts'
import { addCounts, type StateCounts } from './proposal.sql.ts'
import {
  type AppliedState,
  type Changes,
  type Conflicts,
  findChanges,
  findCreated,
  findLines,
  type LockedLine,
  lockLines,
  type OpenLine,
  updateLines,
} from './proposal-line.sql.ts'
import { type CurrentProducts, findCurrentProducts, patchFromChanges, pushedLine } from './pushed-lines.ts'

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

/** Writes lines and their states in the transaction of a batch. Skips lines that another request has written since. */
export async function applyLines(
  tx: Transaction,
  applying: Applying,
  writtenBy: ModelKey | null,
  states: LineState[],
  lines: readonly OpenLine[],
  write: WriteLines,
): Promise<void> {
  const { projectId } = applying.push
  const { proposalId, overwrite, revision } = applying
  const numbers = lines.map(({ line }) => line)
  const locked = await lockLines(tx, projectId, proposalId, numbers, states, revision)
  const left = await readEdited(tx, projectId, proposalId, lines, locked)
  if (left.length === 0) return
  const found = await assignCreatedProducts(tx, projectId, proposalId, left)
  const products = await findCurrentProducts(tx, projectId, found, true)
  const open = await loadChanges(tx, projectId, proposalId, found, products)
  const overwritten = new Set(
    overwrite ? numbers.filter((line) => locked.get(line)?.state === 'conflict') : [],
  )
  const results = await writeMerged(write, applying, open, products, overwritten)
  await updateLines(tx, projectId, proposalId, results)
  await addCounts(tx, projectId, proposalId, countStates(locked, results))
  if (writtenBy === null) return
  await addModelOutcomes(tx, projectId, [{ ...writtenBy, ...countDecisions(results, locked, left) }])
}

/** The locked lines, with those that someone has edited as they are now. */
async function readEdited(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  lines: readonly OpenLine[],
  locked: ReadonlyMap<number, LockedLine>,
): Promise<OpenLine[]> {
  const left = lines.filter(({ line }) => locked.has(line))
  const stale = [...locked.values()].filter(({ is_stale }) => is_stale).map(({ line }) => line)
  if (stale.length === 0) return left
  const current = await findLines(tx, projectId, proposalId, stale)
  return left.map((line) => current.get(line.line) ?? line)
}

/** Gives lines that change a product of an earlier line its ID, once that line has created it. */
async function assignCreatedProducts(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  lines: OpenLine[],
): Promise<OpenLine[]> {
  const following = lines.filter(isFollowing)
  if (following.length === 0) return lines
  const skus = following.flatMap(({ sku }) => sku ?? [])
  const created = await findCreated(tx, projectId, proposalId, skus)
  return lines.map((line) =>
    isFollowing(line) ? { ...line, product_id: created.get(line.sku ?? '') ?? null } : line,
  )
}

/** Writes lines whose products are locked. A line with a field that someone else changed becomes a conflict. */
async function writeMerged(
  write: WriteLines,
  { reviewer }: Applying,
  lines: readonly OpenLine[],
  products: CurrentProducts,
  overwritten: ReadonlySet<number>,
): Promise<AppliedState[]> {
  const byLine = new Map(lines.map((line) => [line.line, line]))
  const conflicts = new Map<number, Conflicts>()
  const locked = new Map([...products.byId.values()].map(({ id, sku }) => [sku, id]))
  const pushed = lines.map((line) => ({
    ...pushedLine(line, products),
    ...(line.provenance && { provenance: reviewedEntries(line.provenance, reviewer) }),
  }))
  const applied = await write(pushed, {
    locked,
    apply(line, product, apply) {
      const skipsMerge = overwritten.has(line.line) || 'errors' in line
      const found = skipsMerge ? {} : conflictsOf(byLine.get(line.line) as OpenLine, product)
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

function countStates(before: ReadonlyMap<number, LockedLine>, results: readonly AppliedState[]): StateCounts {
  const counts: Record<string, number> = {}
  const count = (state: LineState, by: number) => {
    const name = state === 'rejected' ? 'refused' : state
    counts[name] = (counts[name] ?? 0) + by
  }
  for (const { line, state } of results) {
    count((before.get(line) as LockedLine).state, -1)
    count(state, 1)
  }
  return counts
}

/** Adds the proposed changes to lines whose product has another version, or several lines, and may have conflicts. */
async function loadChanges(
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
