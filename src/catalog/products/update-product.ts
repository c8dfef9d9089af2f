import { changedFields } from '../../model/fields/changed-fields.ts'
import { findDirectionErrors } from '../../model/product/direction-errors.ts'
import {
  type Content,
  contentOf,
  type Differences,
  defaultContent,
  differences,
  patchContent,
  type ResolvedNames,
  replaceContent,
} from '../../model/product/product-content.ts'
import type { InventoryInput, NewProduct, ProductPatch } from '../../model/product/product-input.schema.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import { negativeQuantity, rejectNegativeStock } from '../../model/product/stock.ts'
import type { Entries } from '../../model/provenance/entries.ts'
import { resolveProvenance } from '../../model/provenance/resolve-provenance.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import { batchWrites } from '../../platform/database/batching/batch-writes.ts'
import type { Database, Transaction, Writable } from '../../platform/database/database.ts'
import { sqlState } from '../../platform/database/failures.ts'
import { sqlStates } from '../../platform/database/sql-states.ts'
import { notFound, type Problem } from '../../platform/http/problems.ts'
import { requireMatch } from '../../platform/http/response/etag.ts'
import { repeat } from '../../platform/scheduling/retry.ts'
import { resolveCategories } from '../categories/look-up-categories.ts'
import { writeLimits } from '../limits.ts'
import { lookUpVersions } from '../prompts/look-up-versions.ts'
import { applyStructure, referencesOfWrite, setsStructure } from '../structure/apply-structure.ts'
import { duplicateVariant, isDuplicateVariant } from '../structure/duplicate-variant.ts'
import { lookUpProducts } from '../structure/look-up-products.ts'
import {
  findStructureConflict,
  rejectErrors,
  rejectTooManyVariants,
  stockIsComputed,
} from '../structure/reject-conflicts.ts'
import { resolveStructure } from '../structure/resolve-structure.ts'
import { findComputed } from '../structure/structure.sql.ts'
import { duplicateSku, enforceDefinitions } from './create-product.ts'
import {
  findProductIdBySku,
  findProducts,
  lockProduct,
  productKey,
  requireProductRow,
} from './product.sql.ts'
import { type ReadOnly, withoutReadOnly } from './without-read-only.ts'
import { type Author, type Change, type OwnRow, wholeRow, writeChanges } from './write-products.ts'

/** The product to change, the author, and the conditions of the change. */
export type Target = {
  projectId: number
  id: number
  author: Author
  ruleset: Ruleset
  ifMatch: string | undefined
  /** Whether a reference to a SKU that does not exist is rejected. */
  isStrict?: boolean
  /** The product as read after the request arrived, if it is already loaded. */
  loaded?: ProductRow | undefined
  /** The read-only fields in the body, to compare with the product. */
  readOnly?: ReadOnly | undefined
}

/** A change to an earlier version: the patch, and the provenance entries of the restored values. */
type Restoration = { buildPatch: (before: Content) => ProductPatch; entries: Entries }
const emptyContent: Content = { ...defaultContent, sku: '', name: '' }

type PlannedChange = {
  content: Content
  /** The difference from the given product; undefined if nothing differs. */
  step: Differences | undefined
  inventory: InventoryInput | undefined
  /** For a variant whose axis values may have changed. */
  axes: string[] | undefined
}
/** Computes the new content of the product. Creates missing categories. */
type PlanChange<Write> = (writable: Writable, row: ProductRow, write: Write) => Promise<PlannedChange>
type OptimisticChange = Change & { row: ProductRow }
type UpdateOptimistically = (change: OptimisticChange) => Promise<OwnRow | undefined>

/** Changes products. Concurrent changes in a project share a statement where possible. */
export function productUpdater(database: Database) {
  const updateTogether = batchWrites<OptimisticChange, OwnRow | undefined>(database, {
    projectOf: ({ row }) => row.project,
    keyOf: ({ row }) => row.id,
    // The statement returns the entire product.
    sizeOf: ({ content }) => JSON.stringify(content).length,
    // A row that another writer has locked is skipped, so that the other changes do not wait for it.
    together: async (tx, changes) => {
      const projectId = changes[0]?.row.project as number
      const rows = await writeChanges(tx, projectId, changes, wholeRow, { skipsLocked: true })
      const byId = new Map(rows.map((row) => [row.id, row]))
      return changes.map(({ row }) => byId.get(row.id))
    },
    alone: async (change) => (await writeChanges(database, change.row.project, [change], wholeRow))[0],
  })

  return {
    patch: (target: Target, patch: ProductPatch): Promise<ProductRow> =>
      update(database, updateTogether, target, patch, (writable, row, given) =>
        planChange(writable, target, row, given, (before, names) => patchContent(before, given, names)),
      ),
    replace: (target: Target, input: NewProduct): Promise<ProductRow> =>
      update(database, updateTogether, target, input, (writable, row, given) =>
        planReplacement(writable, target, row, given),
      ),
    /** In the given transaction, or in a new one. */
    restore: (target: Target, restoration: Restoration, writable: Writable): Promise<ProductRow> =>
      update(
        database,
        updateTogether,
        target,
        restoration.buildPatch(emptyContent),
        (tx, row) => planRestoration(tx, target, row, restoration),
        writable === database ? undefined : writable,
      ),
  }
}

/** Computes what a write changes: resolves its references, and checks it against other products. */
async function planChange(
  writable: Writable,
  { projectId, author, ruleset, isStrict = false, readOnly }: Target,
  row: ProductRow,
  write: ProductPatch,
  buildContent: (before: Content, names: ResolvedNames) => Content,
): Promise<PlannedChange> {
  const before = contentOf(row)
  const [categories] =
    write.categories === undefined
      ? []
      : await resolveCategories(writable, projectId, [{ author, categories: write.categories }])
  const find = await lookUpProducts(writable, projectId, referencesOfWrite(write, before), true)
  const versions = await lookUpVersions(writable, projectId, [write.provenance])
  const ownSkus = [row.sku, write.sku ?? row.sku]
  const { resolved, errors: referenceErrors } = resolveStructure(write, find, { isStrict, ownSkus })
  const content = buildContent(before, { categories, ...resolved })
  const { axes, errors: structureErrors } = applyStructure(write, before, content, find)
  const step = differences(before, content)
  const written = resolveProvenance(write.provenance, versions, step)
  const directionErrors = step === undefined ? [] : findDirectionErrors(step.before, step.after)
  rejectErrors([...directionErrors, ...referenceErrors, ...structureErrors, ...written.errors])
  // A client can send back what it read, including values that are older than their definition.
  if (step !== undefined || readOnly === undefined)
    enforceDefinitions(ruleset, before, content, write.attributes)
  const stepWithProvenance = step && written.entries && { ...step, provenance: written.entries }
  return { content, step: stepWithProvenance ?? step, inventory: write.inventory, axes }
}

/** A restored field gets the provenance entry that it had in that version, or none. */
async function planRestoration(
  writable: Writable,
  target: Target,
  row: ProductRow,
  { buildPatch, entries }: Restoration,
): Promise<PlannedChange> {
  const patch = buildPatch(contentOf(row))
  const planned = await planChange(writable, target, row, patch, (before, names) =>
    patchContent(before, patch, names),
  )
  if (planned.step === undefined) return planned
  const changed = changedFields(planned.step)
  const provenance = Object.fromEntries(Object.entries(entries).filter(([field]) => changed.has(field)))
  return Object.keys(provenance).length === 0
    ? planned
    : { ...planned, step: { ...planned.step, provenance } }
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

function planReplacement(
  writable: Writable,
  target: Target,
  row: ProductRow,
  input: NewProduct,
): Promise<PlannedChange> {
  return planChange(writable, target, row, input, (before, names) => replaceContent(before, input, names))
}

async function update<Write extends ProductPatch>(
  database: Database,
  updateTogether: UpdateOptimistically,
  target: Target,
  write: Write,
  plan: PlanChange<Write>,
  outer?: Writable,
): Promise<ProductRow> {
  const { projectId, id, ifMatch, loaded, readOnly } = target
  const { sku, categories = [], inventory } = write
  // Stock, categories, structure and read-only fields need a lock and more than one statement.
  const isOptimistic =
    loaded !== undefined &&
    outer === undefined &&
    readOnly === undefined &&
    inventory === undefined &&
    categories.length === 0 &&
    !setsStructure(write, loaded)
  const updated = await repeat({ attempts: writeLimits.skuAttempts }, async (failures) => {
    try {
      const written =
        isOptimistic &&
        failures === 0 &&
        (await updateOptimistically(database, updateTogether, target, loaded, (writable, row) =>
          plan(writable, row, write),
        ))
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

/** Without a lock: the write checks that the version is still the loaded one. Returns false if it is not. */
async function updateOptimistically(
  database: Database,
  updateTogether: UpdateOptimistically,
  { author, ruleset, ifMatch }: Target,
  row: ProductRow,
  plan: (writable: Writable, row: ProductRow) => Promise<PlannedChange>,
): Promise<ProductRow | false> {
  requireMatch(ifMatch, row.version)
  const { content, step } = await plan(database, row)
  // The product was read before the body arrived, so only a locked read can confirm that nothing changes.
  if (step === undefined) return false
  const change = { row, content, steps: [step], levels: undefined, adjustments: [], author, ruleset }
  const written = await updateTogether(change)
  const { has_variants } = row
  return written !== undefined && { ...written, categories: content.categories, has_variants }
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
  const levels = {
    quantity: inventory?.quantity ?? row.quantity,
    reserved: inventory?.reserved ?? row.reserved,
  }
  if (levels.quantity < 0 && levels.quantity !== row.quantity) throw negativeQuantity()
  rejectNegativeStock({ ...content.inventory, ...levels })
  const delta = levels.quantity - row.quantity
  const isStocked = delta !== 0 || levels.reserved !== row.reserved
  const conflict = await findStructureConflict(tx, projectId, id, contentOf(row), content, true)
  if (conflict !== undefined) throw conflict
  if (isStocked && (await findComputed(tx, projectId, [{ ...content, id }])).has(id)) throw stockIsComputed()
  if (step !== undefined && 'parent' in step.after) await rejectTooManyVariants(tx, projectId, [{ content }])
  if (!isStocked && step === undefined) return row
  const adjustments = isStocked ? [{ delta, quantity: levels.quantity }] : []
  const steps = step === undefined ? [] : [step]
  const change = { row, content, steps, levels, adjustments, author, ruleset, axes }
  await writeChanges(tx, projectId, [change], wholeRow)
  // Read again, so that the response has the same bytes and ETag as a following read.
  return requireProductRow(tx, projectId, id)
}
