import type { Database, Queryable } from '../../platform/database/database.ts'
import type { Line } from '../../platform/http/request/split-body.ts'
import { type AppliedLine, applyLine, type Push, type Pushed } from '../batches/apply-lines.ts'
import { describeChanges } from '../batches/describe-changes.ts'
import { orderLines } from '../batches/order-lines.ts'
import { applyBatch, type FreshProducts } from '../batches/push-batch.ts'
import { type PushedLine, planBatches, readAhead, readBatches } from '../batches/read-batches.ts'
import { rememberCombinations } from '../batches/refuse-duplicates.ts'
import type { VariantCounts } from '../batches/refuse-lines.ts'
import { rememberProducts } from '../batches/remember-products.ts'
import { findRepeatedSkus } from '../batches/repeated-skus.ts'
import { type Report, verdictOf } from '../batches/verdicts.ts'
import { type FreshCategories, noFreshCategories } from '../categories/missing-categories.ts'

/** Characters of products that a dry run keeps. */
const mostRemembered = 16 * 1024 * 1024

/** Tells what would become of the lines, and writes nothing. */
export async function dryRun(
  database: Database,
  push: Push,
  lines: (Line | undefined)[],
  report: Report,
): Promise<void> {
  report.begin()
  for await (const { applied } of dryRunInBatches(database, push, lines))
    report.tell(applied.map((line) => ({ ...verdictOf(line), changes: describeChanges(line.changes) })))
}

/** The lines of a batch, and the categories that this batch and those before would have made. */
type DryBatch = { applied: AppliedLine[]; freshCategories: FreshCategories; turn: number }

/**
 * Reads the lines and applies them. A product that a later line names again is remembered as it would be by
 * then; where there is no room for it, the lines before that name it are applied once more.
 */
export async function* dryRunInBatches(
  database: Queryable,
  push: Push,
  lines: (Line | undefined)[],
  { apply = applyLine, keep = false } = {},
): AsyncGenerator<DryBatch> {
  const repeated = await findRepeatedSkus(lines)
  const memory = rememberProducts(mostRemembered)
  const earlier = new Map<string, PushedLine[]>()
  const freshCategories = noFreshCategories()
  const variantCounts: VariantCounts = new Map()
  const fresh: FreshProducts = { bySku: new Map(), combinations: new Map() }
  const ranges = await orderLines(lines)
  for (const range of ranges) {
    const read = readBatches(lines, [range], keep)
    for await (const batch of readAhead(planBatches(database, push.projectId, read, false))) {
      const known = new Map<string, Pushed>()
      const replayed: PushedLine[] = []
      for (const sku of batch.skus) {
        const product = memory.find(sku)
        if (product === undefined) replayed.push(...(earlier.get(sku) ?? []))
        else known.set(sku, product)
      }
      const all = { ...batch, lines: [...replayed, ...batch.lines] }
      const { applied, products } = await applyBatch(database, push, all, {
        hold: false,
        known,
        freshCategories,
        fresh,
        variantCounts,
        apply,
      })
      rememberFresh(fresh, applied)
      for (const line of batch.lines)
        if (line.sku !== null && repeated.has(line.sku)) earlier.getOrInsert(line.sku, []).push(line)
      for (const [sku, product] of products) if (repeated.has(sku)) memory.keep(sku, product)
      yield { applied: applied.slice(replayed.length), freshCategories, turn: range.turn }
    }
  }
}

/** What the push would make, or make another type or axes of. One that is new has a number below zero until it is made. */
function rememberFresh({ bySku, combinations }: FreshProducts, applied: readonly AppliedLine[]): void {
  for (const { product, outcome, sku, changes } of applied) {
    if (product === undefined || sku === null || outcome === 'rejected') continue
    const { after = {} } = changes ?? {}
    if (!('product_type' in after || 'variant_axes' in after)) continue
    const { product_type, variant_axes } = product.content
    const id = product.id ?? bySku.get(sku)?.id ?? -1 - bySku.size
    bySku.set(sku, { id, sku, product_type, variant_axes })
  }
  rememberCombinations(applied, combinations)
}
