import { changedFields } from '../../model/fields/changed-fields.ts'
import type { NewEntries } from '../../model/provenance/entries.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { type AppliedLine, applyLine, type Push, type Pushed } from '../batches/apply-lines.ts'
import { writeBatch } from '../batches/push-batch.ts'
import type { Batch } from '../batches/read-batches.ts'
import type { VariantCounts } from '../batches/refuse-lines.ts'
import { verdictOf } from '../batches/verdicts.ts'
import { patchOf } from './line-patch.ts'
import { type LockedProducts, pushedLine } from './locked-products.ts'
import { changedSince, conflictsOf, newStock, stockChanges } from './merge-line.ts'
import type { AppliedState, Changes, Conflicts, OpenLine } from './proposal-line.sql.ts'

export type Attempt = {
  push: Push
  /** Who applies the lines, for what a prompt wrote. */
  reviewer: string
  lines: OpenLine[]
  /** Lines that are written whatever somebody else has written. */
  overwritten: ReadonlySet<number>
  planned: Batch
  variantCounts: VariantCounts
}

/** Writes lines whose products are locked, each unless somebody else has changed its fields, and tells what became of them. */
export async function writeLines(
  tx: Transaction,
  { push, reviewer, lines, overwritten, planned, variantCounts }: Attempt,
  products: LockedProducts,
): Promise<{ results: AppliedState[]; ahead: number }> {
  const byLine = new Map(lines.map((line) => [line.line, line]))
  const merged = new Map<number, Merged>()
  const apply: typeof applyLine = (line, rules, held, lookups) => {
    const proposed = byLine.get(line.line) as OpenLine
    const product = line.sku === null ? undefined : held.get(line.sku)
    const isFree = overwritten.has(line.line) || 'faults' in line
    const conflicts = isFree ? {} : conflictsOf(proposed, product)
    if (Object.keys(conflicts).length > 0) {
      const applied = {
        line: line.line,
        sku: line.sku,
        product,
        outcome: 'rejected',
        errors: [],
        changes: undefined,
      } as const
      merged.set(line.line, { conflicts, version: null })
      return { ...applied, errors: changedSince(conflicts, product?.id) }
    }
    const steps = product?.steps.length ?? 0
    const applied = applyLine(line, rules, held, lookups)
    tellProvenance(applied, steps, proposed.provenance, reviewer)
    merged.set(line.line, { conflicts: undefined, version: versionOf(applied, steps) })
    return applied
  }
  const locked = new Map([...products.byId.values()].map(({ id, sku }) => [sku, id]))
  planned.lines = lines.map((line) => pushedLine(line, products))
  planned.skus = new Set(planned.lines.flatMap((line) => ('product' in line ? line.sku : [])))
  const { applied, ahead } = await writeBatch(tx, push, planned, { variantCounts, locked, apply })
  const results = applied.map((line) =>
    resultOf(line, byLine.get(line.line) as OpenLine, merged.get(line.line)),
  )
  return { results, ahead }
}

type Merged = { conflicts: Conflicts | undefined; version: number | null }

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
  const { errors } = verdictOf(applied)
  const isRejected = outcome === 'rejected'
  const isConflict = merged?.conflicts !== undefined && isRejected
  return {
    line,
    state: isConflict ? 'conflict' : isRejected ? 'rejected' : 'applied',
    product_id: isRejected ? null : (product?.id ?? null),
    version: isRejected ? null : (merged?.version ?? null),
    stock: isRejected ? null : writtenStock(applied, proposed),
    errors: isRejected ? errors : null,
    conflicts: isConflict ? (merged?.conflicts as Conflicts) : null,
  }
}

/** What no history tells of. A new product has the stock that was proposed. */
function writtenStock({ outcome, changes }: AppliedLine, proposed: OpenLine): Changes | null {
  if (outcome === 'created') return newStock(proposed.patch ?? patchOf(outcome, proposed.changes))
  if (changes === undefined || !('inventory' in changes.after)) return null
  return stockChanges(changedFields(changes))
}
