import { contentLength } from '../../model/product/product-content.ts'
import { axisValues } from '../../model/structure/check-structure.ts'
import { combinationOf } from '../../model/structure/taken-combinations.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Line } from '../../platform/http/body/split-body.ts'
import { mapInTurns } from '../../platform/scheduling/map-in-turns.ts'
import { type FreshCategories, noFreshCategories } from '../categories/missing-categories.ts'
import { writeLimits } from '../limits.ts'
import type { AppliedLine, ProductState, Push } from './applied-line.ts'
import { type ApplyAround, applyBatch, type FreshProducts } from './apply-batch.ts'
import type { VariantCounts } from './find-conflicts.ts'
import {
  givenSku,
  looselyRead,
  type PushedLine,
  planBatches,
  readAhead,
  readTurns,
  skusOf,
} from './read-batches.ts'

/** The lines of a batch, and the categories that this batch and those before would have made. */
type DryBatch = { applied: AppliedLine[]; freshCategories: FreshCategories; turn: number }

/**
 * Reads the lines and reports their results without writing them. A product that a later line names again is remembered as it would be by
 * then; where there is no room for it, the lines before that name it are applied once more.
 */
export async function* dryRunBatches(
  database: Queryable,
  push: Push,
  lines: (Line | undefined)[],
  { apply, keep = false }: { apply?: ApplyAround; keep?: boolean } = {},
): AsyncGenerator<DryBatch> {
  const repeated = await findRepeatedSkus(lines)
  const memory = rememberProducts(writeLimits.dryRunCharacters)
  const earlier = new Map<string, PushedLine[]>()
  const freshCategories = noFreshCategories()
  const counts: VariantCounts = new Map()
  const fresh: FreshProducts = { bySku: new Map(), combinations: new Map() }
  for await (const { turn, batches } of readTurns(lines, { keep })) {
    for await (const batch of readAhead(planBatches(database, push.projectId, batches, false))) {
      const known = new Map<string, ProductState>()
      const replayed: PushedLine[] = []
      for (const sku of batch.skus) {
        const product = memory.find(sku)
        if (product === undefined) replayed.push(...(earlier.get(sku) ?? []))
        else known.set(sku, product)
      }
      const all = { ...batch, lines: [...replayed, ...batch.lines] }
      const how = { known, freshCategories, fresh, variants: { counts, batch }, apply }
      const { applied, products } = await applyBatch(database, push, all, { hold: false, ...how })
      rememberFresh(fresh, applied)
      for (const line of batch.lines)
        if (line.sku !== null && repeated.has(line.sku)) earlier.getOrInsert(line.sku, []).push(line)
      for (const [sku, product] of products) if (repeated.has(sku)) memory.keep(sku, product)
      yield { applied: applied.slice(replayed.length), freshCategories, turn }
    }
  }
}

/** The results that lines would have, if they are already read and change existing products. */
export async function tryLines(
  database: Queryable,
  push: Push,
  lines: PushedLine[],
  apply: ApplyAround,
  freshCategories = noFreshCategories(),
): Promise<AppliedLine[]> {
  const batch = { lines, skus: skusOf(lines) }
  const { applied } = await applyBatch(database, push, batch, { hold: false, freshCategories, apply })
  return applied
}

/** Products and categories that a dry run would create have negative IDs. */
export function storedId(id: number | null): number | null {
  return id !== null && id < 0 ? null : id
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
  for (const { product, outcome } of applied) {
    if (product?.axes === undefined || (outcome !== 'created' && outcome !== 'updated')) continue
    const { content, axes } = product
    if (content.parent?.id != null && axes.length > 0)
      combinations.set(combinationOf(content.parent.id, axisValues(content, axes)), content.sku)
  }
}

/** SKUs that several lines have. Lines that cannot be read have none. A line may have a mebibyte, so others get their turn in between. */
export async function findRepeatedSkus(lines: readonly (Line | undefined)[]): Promise<Set<string>> {
  const met = new Set<string>()
  const repeated = new Set<string>()
  await mapInTurns(lines, (line) => {
    const sku = givenSku(looselyRead(line))
    if (sku === null) return
    if (met.has(sku)) repeated.add(sku)
    met.add(sku)
  })
  return repeated
}

const leastCharacters = 1_000
/** Of what a prompt wrote: the name of a field, and of a model. */
const entryCharacters = 300

/** Keeps products as lines have left them: those that were kept last, as many as so many characters make. */
export function rememberProducts(mostCharacters: number) {
  const kept = new Map<string, { product: ProductState; size: number }>()
  let total = 0

  function forget(sku: string): void {
    total -= kept.get(sku)?.size ?? 0
    kept.delete(sku)
  }

  return {
    find: (sku: string): ProductState | undefined => kept.get(sku)?.product,
    keep(sku: string, product: ProductState): void {
      forget(sku)
      const entries = Object.keys(product.provenance).length
      const size = leastCharacters + contentLength(product.content) + entries * entryCharacters
      // What was changed on the way is told already.
      kept.set(sku, { product: { ...product, steps: [], adjustments: [] }, size })
      total += size
      for (const oldest of kept.keys()) {
        if (total <= mostCharacters) break
        forget(oldest)
      }
    },
  }
}
