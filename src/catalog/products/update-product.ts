import { type Content, contentOf, defaultContent } from '../../model/product/product-content.ts'
import type { NewProduct, ProductPatch } from '../../model/product/product-input.schema.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import type { Database, Transaction, Writable } from '../../platform/database/database.ts'
import { sqlState } from '../../platform/database/failures.ts'
import { sqlStates } from '../../platform/database/sql-states.ts'
import { notFound, type Problem } from '../../platform/http/problems.ts'
import { requireMatch } from '../../platform/http/response/etag.ts'
import { repeat } from '../../platform/scheduling/retry.ts'
import { writeLimits } from '../limits.ts'
import { duplicateVariant, isDuplicateVariant } from '../structure/duplicate-variant.ts'
import {
  findStructureConflict,
  rejectTooManyVariants,
  stockIsComputed,
} from '../structure/reject-conflicts.ts'
import { findComputed } from '../structure/structure.sql.ts'
import { duplicateSku } from './create-product.ts'
import {
  type PlannedChange,
  planPatch,
  planReplacement,
  planRestoration,
  planStock,
  type Restoration,
  type Target,
} from './plan-change.ts'
import {
  findProductIdBySku,
  findProducts,
  lockProduct,
  type ProductKey,
  productKey,
  requireProductRow,
} from './product.sql.ts'
import { type UpdateUnlocked, unlockedUpdates } from './update-unlocked.ts'
import { withoutReadOnly } from './without-read-only.ts'
import { wholeRow, writeChanges } from './write-products.ts'

const emptyContent: Content = { ...defaultContent, sku: '', name: '' }

/** Computes the new content of the product. Creates missing categories. */
type PlanChange<Write> = (writable: Writable, row: ProductRow, write: Write) => Promise<PlannedChange>

/** Changes products. Concurrent changes in a project share a statement where possible. */
export function productUpdater(
  database: Database,
  find: (key: ProductKey) => Promise<ProductRow | undefined>,
) {
  const updateUnlocked = unlockedUpdates(database, find)

  return {
    patch: (target: Target, patch: ProductPatch): Promise<ProductRow> =>
      update(database, updateUnlocked, target, patch, (writable, row, given) =>
        planPatch(writable, target, row, given),
      ),
    replace: (target: Target, input: NewProduct): Promise<ProductRow> =>
      update(database, updateUnlocked, target, input, (writable, row, given) =>
        planReplacement(writable, target, row, given),
      ),
    /** In the given transaction, or in a new one. */
    restore: (target: Target, restoration: Restoration, writable: Writable): Promise<ProductRow> =>
      update(
        database,
        updateUnlocked,
        target,
        restoration.buildPatch(emptyContent),
        (tx, row) => planRestoration(tx, target, row, restoration),
        writable === database ? undefined : writable,
      ),
  }
}

/** For a product that is already locked. */
export async function replaceLocked(
  tx: Transaction,
  target: Target,
  row: ProductRow,
  input: NewProduct,
): Promise<ProductRow> {
  const given = await withoutReadOnly(tx, target.readOnly, row, input)
  return updateLocked(tx, target, row, await planReplacement(tx, target, row, given))
}

async function update<Write extends ProductPatch>(
  database: Database,
  updateUnlocked: UpdateUnlocked,
  target: Target,
  write: Write,
  plan: PlanChange<Write>,
  outer?: Writable,
): Promise<ProductRow> {
  const { projectId, id, ifMatch, loaded, readOnly } = target
  const { sku } = write
  const updated = await repeat({ attempts: writeLimits.skuAttempts }, async (failures) => {
    try {
      const written =
        loaded !== undefined &&
        outer === undefined &&
        failures === 0 &&
        (await updateUnlocked(target, write, loaded, (row) => plan(database, row, write)))
      if (written) return written
      const lockAndUpdate = async (tx: Transaction) => {
        const row = await lockProduct(tx, projectId, { id })
        if (row === undefined) throw notFound('product', id)
        requireMatch(ifMatch, row.version)
        const given = await withoutReadOnly(tx, readOnly, row, write)
        return updateLocked(tx, target, row, await plan(tx, row, given))
      }
      return await (outer ?? database).transaction(lockAndUpdate, { project: projectId })
    } catch (error) {
      if (isDuplicateVariant(error)) throw await describeDuplicateVariant(database, target, write)
      if (sqlState(error) !== sqlStates.uniqueViolation || sku === undefined) throw error
      const holder = await findProductIdBySku(database, projectId, sku)
      // The SKU has become free in the meantime: try again.
      if (holder !== undefined || outer !== undefined) throw duplicateSku(sku, holder)
      return undefined
    }
  })
  if (updated === undefined) throw duplicateSku(sku ?? '', undefined)
  return updated
}

/** Describes the conflict for the product as the write would have left it. */
async function describeDuplicateVariant(
  database: Database,
  { projectId, id }: Target,
  write: ProductPatch,
): Promise<Problem> {
  const row = (await findProducts(database, [{ projectId, id }])).get(productKey({ projectId, id }))
  const attributes = { ...row?.attributes, ...write.attributes }
  return duplicateVariant(database, projectId, { parent: write.parent ?? row?.parent ?? null, attributes })
}

/** Writes only the differences. If nothing differs, version and time do not change. */
async function updateLocked(
  tx: Transaction,
  { projectId, id, author, ruleset }: Target,
  row: ProductRow,
  { content, step, inventory, axes }: PlannedChange,
): Promise<ProductRow> {
  const { levels, adjustments } = planStock(row, content, inventory)
  const isStocked = adjustments.length > 0
  const conflict = await findStructureConflict(tx, projectId, id, contentOf(row), content, true)
  if (conflict !== undefined) throw conflict
  if (isStocked && (await findComputed(tx, projectId, [{ ...content, id }])).has(id)) throw stockIsComputed()
  if (step !== undefined && 'parent' in step.after) await rejectTooManyVariants(tx, projectId, [{ content }])
  if (!isStocked && step === undefined) return row
  const steps = step === undefined ? [] : [step]
  const change = { row, content, steps, levels, adjustments, author, ruleset, axes }
  await writeChanges(tx, projectId, [change], wholeRow)
  // Read again, so that the response has the same bytes and ETag as a following read.
  return requireProductRow(tx, projectId, id)
}
