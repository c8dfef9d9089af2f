import { changedFields } from '../../model/fields/changed-fields.ts'
import type { NewEntries } from '../../model/provenance/entries.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { type AppliedLine, errorsOf, type Push, type Pushed } from '../batches/apply-line.ts'
import type { WriteLines } from '../batches/write-batches.ts'
import { patchOf } from './line-patch.ts'
import { changedSince, conflictsOf, isFollowing, newStock, stockChanges } from './merge-line.ts'
import { findNamedProducts, loadChanges, type NamedProducts, pushedLine } from './named-products.ts'
import type { LineState } from './proposal.schema.ts'
import { addCounts, type StateCounts } from './proposal.sql.ts'
import {
  type AppliedState,
  type Changes,
  type Conflicts,
  findMade,
  lockLines,
  type OpenLine,
  updateLines,
} from './proposal-line.sql.ts'

export type Applying = {
  push: Push
  proposalId: number
  /** Who applies it, for what a prompt wrote. */
  reviewer: string
  /** Some of its lines, which are tried again where they were in conflict. */
  numbers: number[] | undefined
  /** Writes those of them that are in conflict whatever somebody else has written. */
  overwrite: boolean
}

/** Writes lines and their states in the transaction of a batch. Skips lines that another request has written meanwhile. */
export async function applyLines(
  tx: Transaction,
  applying: Applying,
  states: LineState[],
  lines: readonly OpenLine[],
  write: WriteLines,
): Promise<void> {
  const { projectId } = applying.push
  const { proposalId, overwrite } = applying
  const numbers = lines.map(({ line }) => line)
  const held = await lockLines(tx, projectId, proposalId, numbers, states)
  const left = lines.filter(({ line }) => held.has(line))
  if (left.length === 0) return
  const found = await followMade(tx, projectId, proposalId, left)
  const products = await findNamedProducts(tx, projectId, found, true)
  const open = await loadChanges(tx, projectId, proposalId, found, products)
  const overwritten = new Set(overwrite ? numbers.filter((line) => held.get(line) === 'conflict') : [])
  const results = await writeMerged(write, applying, open, products, overwritten)
  await updateLines(tx, projectId, proposalId, results)
  await addCounts(tx, projectId, proposalId, countStates(held, results))
}

/** A line that changes what a line before it was to make is about that product, once it is made. */
async function followMade(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  lines: OpenLine[],
): Promise<OpenLine[]> {
  const following = lines.filter(isFollowing)
  if (following.length === 0) return lines
  const skus = following.flatMap(({ sku }) => sku ?? [])
  const made = await findMade(tx, projectId, proposalId, skus)
  return lines.map((line) =>
    isFollowing(line) ? { ...line, product_id: made.get(line.sku ?? '') ?? null } : line,
  )
}

type Merged = { conflicts: Conflicts | undefined; version: number | null }

/** Writes lines whose products are locked, each unless somebody else has changed its fields, and tells what became of them. */
async function writeMerged(
  write: WriteLines,
  { reviewer }: Applying,
  lines: readonly OpenLine[],
  products: NamedProducts,
  overwritten: ReadonlySet<number>,
): Promise<AppliedState[]> {
  const byLine = new Map(lines.map((line) => [line.line, line]))
  const merged = new Map<number, Merged>()
  const locked = new Map([...products.byId.values()].map(({ id, sku }) => [sku, id]))
  const pushed = lines.map((line) => pushedLine(line, products))
  const applied = await write(pushed, {
    locked,
    apply(line, product, apply) {
      const proposed = byLine.get(line.line) as OpenLine
      const isFree = overwritten.has(line.line) || 'faults' in line
      const conflicts = isFree ? {} : conflictsOf(proposed, product)
      if (Object.keys(conflicts).length > 0) {
        merged.set(line.line, { conflicts, version: null })
        const errors = changedSince(conflicts, product?.id)
        const { line: number, sku } = line
        return { line: number, sku, product, outcome: 'rejected', errors, changes: undefined }
      }
      const steps = product?.steps.length ?? 0
      const applied = apply()
      tellProvenance(applied, steps, proposed.provenance, reviewer)
      merged.set(line.line, { conflicts: undefined, version: versionOf(applied, steps) })
      return applied
    },
  })
  return applied.map((line) => resultOf(line, byLine.get(line.line) as OpenLine, merged.get(line.line)))
}

/** The version that a line has made, the first of its steps being those of the lines before. */
function versionOf({ outcome, product }: AppliedLine, steps: number): number | null {
  if (product === undefined || outcome === 'rejected') return null
  if (outcome === 'created') return 1
  return product.steps.length > steps ? product.version + product.steps.length : null
}

/** A prompt wrote those of the fields that the line does change; what is restored keeps its reviewer. */
function tellProvenance(
  { outcome, product }: AppliedLine,
  steps: number,
  provenance: NewEntries | null,
  reviewer: string,
): void {
  if (provenance === null || product === undefined || outcome === 'rejected') return
  const reviewed = (entry: NewEntries[string]) =>
    entry.at === undefined ? { ...entry, reviewed_by: reviewer } : entry
  const entries = Object.entries(provenance).map(([field, entry]) => [field, reviewed(entry)] as const)
  if (outcome === 'created')
    (product.created as NonNullable<Pushed['created']>).provenance = Object.fromEntries(entries)
  const step = product.steps[steps]
  if (step === undefined) return
  const changed = changedFields(step)
  const written = entries.filter(([field]) => changed.has(field))
  if (written.length > 0) step.provenance = Object.fromEntries(written)
}

function resultOf(applied: AppliedLine, proposed: OpenLine, merged: Merged | undefined): AppliedState {
  const { line, product, outcome } = applied
  const isRejected = outcome === 'rejected'
  const isConflict = merged?.conflicts !== undefined && isRejected
  return {
    line,
    state: isConflict ? 'conflict' : isRejected ? 'rejected' : 'applied',
    product_id: isRejected ? null : (product?.id ?? null),
    version: isRejected ? null : (merged?.version ?? null),
    stock: isRejected ? null : writtenStock(applied, proposed),
    errors: isRejected ? errorsOf(applied) : null,
    conflicts: isConflict ? (merged?.conflicts as Conflicts) : null,
  }
}

/** What no history tells of. A new product has the stock that was proposed. */
function writtenStock({ outcome, changes }: AppliedLine, proposed: OpenLine): Changes | null {
  if (outcome === 'created') return newStock(proposed.patch ?? patchOf(outcome, proposed.changes))
  if (changes === undefined || !('inventory' in changes.after)) return null
  return stockChanges(changedFields(changes))
}

function countStates(before: ReadonlyMap<number, LineState>, results: readonly AppliedState[]): StateCounts {
  const counts: Record<string, number> = {}
  const count = (state: LineState, by: number) => {
    const name = state === 'rejected' ? 'refused' : state
    counts[name] = (counts[name] ?? 0) + by
  }
  for (const { line, state } of results) {
    count(before.get(line) as LineState, -1)
    count(state, 1)
  }
  return counts
}
