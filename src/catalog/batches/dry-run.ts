import { contentLength } from '../../model/product/product-content.ts'
import { axisValues } from '../../model/structure/check-structure.ts'
import { combinationOf } from '../../model/structure/taken-combinations.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Line } from '../../platform/http/body/split-body.ts'
import { mapInTurns } from '../../platform/scheduling/map-in-turns.ts'
import { prefetch } from '../../platform/scheduling/prefetch.ts'
import { type FreshCategories, noFreshCategories } from '../categories/missing-categories.ts'
import { writeLimits } from '../limits.ts'
import type { VariantCounts } from '../structure/find-conflicts.ts'
import { type ApplyAround, applyBatch, type Push, skusOf } from './apply-batch.ts'
import type { AppliedLine, ProductState, PushedLine } from './apply-line.ts'
import type { FreshProducts } from './look-up-references.ts'
import { parseLine, readSku, readTurns } from './read-lines.ts'
import { planBatches } from './write-batches.ts'

/** The results of a batch, and the categories that this and earlier batches would have created. */
type DryBatch = { applied: AppliedLine[]; freshCategories: FreshCategories; turn: number }

/**
 * Applies lines without writing them. Remembers a product that a later line changes again. If there is no room for it, the
 * earlier lines of this product are applied again.
 */
export async function* dryRunBatches(
  database: Queryable,
  push: Push,
  lines: (Line | undefined)[],
  { apply, retain = false }: { apply?: ApplyAround; retain?: boolean } = {},
): AsyncGenerator<DryBatch> {
  const repeated = await findRepeatedSkus(lines)
  const memory = rememberProducts(writeLimits.dryRunCharacters)
  const earlier = new Map<string, PushedLine[]>()
  const freshCategories = noFreshCategories()
  const counts: VariantCounts = new Map()
  const fresh: FreshProducts = { bySku: new Map(), combinations: new Map() }
  for await (const { turn, batches } of readTurns(lines, { retain })) {
    for await (const batch of prefetch(planBatches(database, push.projectId, batches, false))) {
      const known = new Map<string, ProductState>()
      const replayed: PushedLine[] = []
      for (const sku of batch.skus) {
        const product = memory.find(sku)
        if (product === undefined) replayed.push(...(earlier.get(sku) ?? []))
        else known.set(sku, product)
      }
      const all = { ...batch, lines: [...replayed, ...batch.lines] }
      const how = { known, freshCategories, fresh, variants: { counts, batch }, apply }
      const { applied, products } = await applyBatch(database, push, all, { forUpdate: false, ...how })
      rememberFresh(fresh, applied)
      for (const line of batch.lines)
        if (line.sku !== null && repeated.has(line.sku)) earlier.getOrInsert(line.sku, []).push(line)
      for (const [sku, product] of products) if (repeated.has(sku)) memory.store(sku, product)
      yield { applied: applied.slice(replayed.length), freshCategories, turn }
    }
  }
}

/** The results of lines that are already read. `fresh` has products that they may reference before they exist. Writes nothing. */
export async function tryLines(
  database: Queryable,
  push: Push,
  lines: PushedLine[],
  apply: ApplyAround,
  freshCategories = noFreshCategories(),
  fresh?: FreshProducts,
): Promise<AppliedLine[]> {
  const batch = { lines, skus: skusOf(lines) }
  const how = { forUpdate: false, freshCategories, fresh, apply }
  const { applied } = await applyBatch(database, push, batch, how)
  return applied
}

/** Products and categories that a dry run would create have negative IDs. */
export function storedId(id: number | null): number | null {
  return id !== null && id < 0 ? null : id
}

/** Remembers products that the push would create, or whose type or axes it would change. New products have negative IDs. */
function rememberFresh({ bySku, combinations }: FreshProducts, applied: readonly AppliedLine[]): void {
  for (const { product, outcome, sku, changes } of applied) {
    if (product === undefined || sku === null || outcome === 'rejected') continue
    const { after = {} } = changes ?? {}
    if (!('product_type' in after || 'variant_axes' in after)) continue
    const { product_type, variant_axes } = product.content
    const id = product.id ?? bySku.get(sku)?.id ?? -1 - bySku.size
    bySku.set(sku, { id, sku, product_type, variant_axes })
  }
  for (const { product, outcome } of applied) {
    if (product?.axes === undefined || (outcome !== 'created' && outcome !== 'updated')) continue
    const { content, axes } = product
    if (content.parent?.id != null && axes.length > 0)
      combinations.set(combinationOf(content.parent.id, axisValues(content, axes)), content.sku)
  }
}

/** SKUs that occur in several lines. Lines can be as large as 1 MiB, so other requests run between them. */
export async function findRepeatedSkus(lines: readonly (Line | undefined)[]): Promise<Set<string>> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  await mapInTurns(lines, (line) => {
    const sku = readSku(parseLine(line))
    if (sku === null) return
    if (seen.has(sku)) repeated.add(sku)
    seen.add(sku)
  })
  return repeated
}

const minCharacters = 1_000
/** An entry of a prompt has the names of a field and of a model. */
const entryCharacters = 300

/** Stores the products that were changed last, up to a total number of characters. */
export function rememberProducts(maxCharacters: number) {
  const stored = new Map<string, { product: ProductState; size: number }>()
  let total = 0

  function forget(sku: string): void {
    total -= stored.get(sku)?.size ?? 0
    stored.delete(sku)
  }

  return {
    find: (sku: string): ProductState | undefined => stored.get(sku)?.product,
    store(sku: string, product: ProductState): void {
      forget(sku)
      const entries = Object.keys(product.provenance).length
      const size = minCharacters + contentLength(product.content) + entries * entryCharacters
      // Earlier changes are already reported.
      stored.set(sku, { product: { ...product, steps: [], adjustments: [] }, size })
      total += size
      for (const oldest of stored.keys()) {
        if (total <= maxCharacters) break
        forget(oldest)
      }
    },
  }
}
