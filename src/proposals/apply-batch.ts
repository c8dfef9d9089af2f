import type { Database, Transaction } from '../database/database.ts'
import { changedFields } from '../products/changed-fields.ts'
import { type AppliedLine, applyLine, type Push, type Pushed } from '../products/push/apply-lines.ts'
import { lockPushes } from '../products/push/product-push.sql.ts'
import { writeBatch } from '../products/push/push-batch.ts'
import { retryOnDuplicate, statementTimeoutSeconds, untilPast } from '../products/push/push-products.ts'
import type { Batch } from '../products/push/read-batches.ts'
import type { VariantCounts } from '../products/push/refuse-lines.ts'
import { verdictOf } from '../products/push/verdicts.ts'
import type { NewEntries } from '../provenance/entries.ts'
import { findNamedProducts, type LockedProducts, pushedLine } from './locked-products.ts'
import { changedSince, conflictsOf, isFollowing, stockChanges } from './merge-line.ts'
import type { LineState } from './proposal.schema.ts'
import { countLines, type StateCounts } from './proposal.sql.ts'
import {
  type AppliedState,
  type Changes,
  type Conflicts,
  findMade,
  lockLines,
  type OpenLine,
  updateLines,
  type Wanted,
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

type LinesToApply = { lines: OpenLine[]; ids: Map<string, number>; variantCounts: VariantCounts }
type Attempt = Pick<LinesToApply, 'lines' | 'variantCounts'> & { overwritten: Set<number>; planned: Batch }

/** Writes some lines with their states, or nothing of them. Lines that somebody else has written meanwhile are left alone. */
export async function applyBatch(
  database: Database,
  applying: Applying,
  { states }: Wanted,
  batch: LinesToApply,
): Promise<void> {
  const { push, proposalId } = applying
  const { projectId } = push
  const limits = { statementTimeoutSeconds, bulk: true, project: projectId }
  // One object for all attempts: what an attempt before this one has counted under it is forgotten.
  const planned: Batch = { lines: [], skus: new Set(), ids: batch.ids }
  const write = async (tx: Transaction, alone: boolean) => {
    await lockPushes(tx, projectId, alone)
    const numbers = batch.lines.map(({ line }) => line)
    const held = await lockLines(tx, projectId, proposalId, numbers, states)
    const left = batch.lines.filter(({ line }) => held.has(line))
    if (left.length === 0) return 0
    const lines = await followMade(tx, projectId, proposalId, left)
    const products = await findNamedProducts(tx, projectId, lines, true)
    const overwritten = new Set(
      applying.overwrite ? numbers.filter((line) => held.get(line) === 'conflict') : [],
    )
    const { results, ahead } = await writeLines(
      tx,
      applying,
      { ...batch, lines, overwritten, planned },
      products,
    )
    await updateLines(tx, projectId, proposalId, results)
    await countLines(tx, projectId, proposalId, countsOf(held, results))
    return ahead
  }
  await untilPast(await retryOnDuplicate((alone) => database.transaction((tx) => write(tx, alone), limits)))
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

async function writeLines(
  tx: Transaction,
  { push, reviewer }: Applying,
  { lines, variantCounts, overwritten, planned }: Attempt,
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
  planned.lines = lines.map((line) => pushedLine(line, products))
  planned.skus = new Set(planned.lines.flatMap((line) => ('product' in line ? line.sku : [])))
  const { applied, ahead } = await writeBatch(tx, push, planned, { variantCounts, apply })
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
  if (outcome === 'created') return stockChanges(Object.entries(proposed.changes ?? {}))
  return changes === undefined ? null : stockChanges(changedFields(changes))
}

function countsOf(before: ReadonlyMap<number, LineState>, results: readonly AppliedState[]): StateCounts {
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
