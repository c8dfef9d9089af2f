import type { ProductPatch } from '../../model/product/product-input.schema.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import { mayNameAssets, viewMedia } from '../../model/product/resolve-media.ts'
import { componentTypes } from '../../model/structure/check-structure.ts'
import { batchWrites } from '../../platform/database/batching/batch-writes.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { requireMatch } from '../../platform/http/response/etag.ts'
import { repeat } from '../../platform/scheduling/retry.ts'
import { writeLimits } from '../limits.ts'
import { setsStructure } from '../structure/apply-structure.ts'
import { type PlannedChange, planStock, type Target } from './plan-change.ts'
import type { ProductKey } from './product.sql.ts'
import { type Change, changedRow, type OwnRow, withUnchanged, writeChanges } from './write-products.ts'

/** Computes the new content of a product. */
type Plan = (row: ProductRow) => Promise<PlannedChange>
type UnlockedChange = Change & { row: ProductRow }
/** A change, and how to plan it again if another change of the product is written first. */
type Update = { change: UnlockedChange; planAgain: (row: ProductRow) => Promise<UnlockedChange | undefined> }
/** Without a change if planning failed, the change needs a lock, or nothing differs. */
type Planned = { change?: UnlockedChange | undefined; error?: unknown }
/** The written row; undefined if another writer changed or locked the product, or if there is no change to write. */
type Result = { written: ProductRow | undefined } | { error: unknown }

export type UpdateUnlocked = ReturnType<typeof unlockedUpdates>

/**
 * Changes products without locking them first: the statement of a change checks that the product is still as it was read. Changes of
 * different products share a statement. A change that waits for another one of its product starts from the result of that one.
 */
export function unlockedUpdates(
  database: Database,
  find: (key: ProductKey) => Promise<ProductRow | undefined>,
) {
  const latest = latestRows()
  const updateTogether = batchWrites<Update, Result>(database, {
    projectOf: ({ change: { row } }) => row.project,
    keyOf: ({ change: { row } }) => row.id,
    sizeOf: ({ change: { steps } }) => JSON.stringify(steps).length,
    isOneStatement: true,
    // A row that another writer has locked is skipped, so that the other changes do not wait for it.
    together: (shared, updates) => write(shared, updates, { skipsLocked: true }),
    alone: async (update) => (await write(database, [update], { skipsLocked: false }))[0] as Result,
  })

  async function write(
    queryable: Queryable,
    updates: readonly Update[],
    options: { skipsLocked: boolean },
  ): Promise<Result[]> {
    const planned = await Promise.all(updates.map(planFromLatest))
    const changes = planned.flatMap(({ change }) => change ?? [])
    const rows =
      changes[0] === undefined
        ? []
        : await writeChanges(queryable, changes[0].row.project, changes, changedRow, options)
    const byId = new Map(rows.map((row) => [row.id, row]))
    return planned.map(({ change, error }) => {
      if (error !== undefined) return { error }
      return { written: change && asWritten(change, byId.get(change.row.id)) }
    })
  }

  function asWritten({ row, content }: UnlockedChange, changed: OwnRow | undefined): ProductRow | undefined {
    const own = withUnchanged(row, changed)
    const { has_variants } = row
    return own && latest.keepIfNewer({ ...own, categories: content.categories, has_variants })
  }

  async function planFromLatest({ change, planAgain }: Update): Promise<Planned> {
    const newer = latest.newerThan(change.row)
    if (newer === undefined) return { change }
    return planAgain(withOwnReads(change.row, newer)).then(
      (again) => ({ change: again }),
      (error: unknown) => ({ error }),
    )
  }

  /** Undefined if the write must lock the product, or if other writers were first at every attempt. */
  return (
    target: Target,
    write: ProductPatch,
    loaded: ProductRow,
    plan: Plan,
  ): Promise<ProductRow | undefined> => {
    const { projectId, id } = target
    const planAgain = (row: ProductRow) => planUnlocked(target, write, row, plan)
    return latest.whileWaiting(id, async () => {
      const tried = await repeat({ attempts: writeLimits.unlockedAttempts }, async (failures) => {
        const row = failures === 0 ? loaded : await find({ projectId, id })
        const change = row && (await planAgain(row))
        if (change === undefined) return needsLocking
        latest.keepIfNewer(change.row)
        const result = await updateTogether({ change, planAgain })
        if ('error' in result) throw result.error
        return result.written && result
      })
      return tried?.written
    })
  }
}

const needsLocking = { written: undefined }

/** The newer row, with the category names and `has_variants` of the request's own row. Both can change without a new version. */
function withOwnReads({ categories, has_variants }: ProductRow, newer: ProductRow): ProductRow {
  const isSame = String(categories.map(({ id }) => id)) === String(newer.categories.map(({ id }) => id))
  return { ...newer, has_variants, ...(isSame && { categories }) }
}

/**
 * Undefined if the write needs a lock, or if nothing differs. The product was read before the body arrived, so only a locked read can
 * confirm that nothing changes.
 */
async function planUnlocked(
  { author, ruleset, ifMatch, readOnly }: Target,
  write: ProductPatch,
  row: ProductRow,
  plan: Plan,
): Promise<UnlockedChange | undefined> {
  if (readOnly !== undefined || needsLock(write, row)) return undefined
  requireMatch(ifMatch, row.version)
  const { content, step, inventory } = await plan(row)
  const stock = inventory && planStock(row, content, inventory)
  const adjustments = stock?.adjustments ?? []
  if (step === undefined && adjustments.length === 0) return undefined
  const steps = step === undefined ? [] : [step]
  const stockRead = stock && { quantity: row.quantity, reserved: row.reserved }
  return { row, content, steps, levels: stock?.levels, stockRead, adjustments, author, ruleset }
}

/** Categories, assets, structure and computed stock need a lock and more than one statement. */
function needsLock({ categories = [], media, ...write }: ProductPatch, row: ProductRow): boolean {
  return (
    categories.length > 0 ||
    (write.inventory !== undefined && !componentTypes.includes(row.product_type)) ||
    mayNameAssets([media ?? [], ...viewMedia(write.views)].flat()) ||
    setsStructure(write, row)
  )
}

/** The newest known row of each product that has changes waiting. The statement of a change checks whether a newer one exists. */
function latestRows() {
  const products = new Map<number, { changes: number; row: ProductRow | undefined }>()
  return {
    /** Remembers the newest row of the product until the work ends. */
    async whileWaiting<Result>(id: number, work: () => Promise<Result>): Promise<Result> {
      const product = products.getOrInsertComputed(id, () => ({ changes: 0, row: undefined }))
      product.changes += 1
      try {
        return await work()
      } finally {
        product.changes -= 1
        if (product.changes === 0) products.delete(id)
      }
    },
    keepIfNewer(row: ProductRow): ProductRow {
      const product = products.get(row.id)
      if (product !== undefined && (product.row === undefined || isNewer(row, product.row))) product.row = row
      return row
    },
    newerThan(read: ProductRow): ProductRow | undefined {
      const row = products.get(read.id)?.row
      return row !== undefined && isNewer(row, read) ? row : undefined
    },
  }
}

/** Stock changes without a new version. */
function isNewer(row: ProductRow, other: ProductRow): boolean {
  if (row.version !== other.version) return row.version > other.version
  return row.inventory_updated_at > other.inventory_updated_at
}
