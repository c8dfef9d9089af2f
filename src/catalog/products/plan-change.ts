import { changedFields } from '../../model/fields/changed-fields.ts'
import { findDirectionErrors } from '../../model/product/direction-errors.ts'
import {
  type Content,
  contentOf,
  type Differences,
  differences,
  patchContent,
  type ResolvedNames,
  replaceContent,
} from '../../model/product/product-content.ts'
import type { InventoryInput, NewProduct, ProductPatch } from '../../model/product/product-input.schema.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import { resolveMedia, resolveViews, viewMedia } from '../../model/product/resolve-media.ts'
import { negativeQuantity, rejectNegativeStock, type StockLevels } from '../../model/product/stock.ts'
import type { Entries } from '../../model/provenance/entries.ts'
import { resolveProvenance } from '../../model/provenance/resolve-provenance.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import { findUnknownViews, stampSources } from '../../model/views/apply-views.ts'
import type { Writable } from '../../platform/database/database.ts'
import { lookUpAssets } from '../assets/look-up-assets.ts'
import { resolveCategories } from '../categories/look-up-categories.ts'
import { lookUpVersions } from '../prompts/look-up-versions.ts'
import { applyStructure, referencesOfWrite } from '../structure/apply-structure.ts'
import { lookUpProducts } from '../structure/look-up-products.ts'
import { rejectErrors } from '../structure/reject-conflicts.ts'
import { resolveStructure } from '../structure/resolve-structure.ts'
import { type ConfirmedTexts, confirmTexts } from './confirm-texts.ts'
import { enforceDefinitions } from './create-product.ts'
import type { ReadOnly } from './without-read-only.ts'
import type { Author, Change } from './write-products.ts'

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
  /** Texts of a view that are still right. */
  confirmed?: ConfirmedTexts | undefined
}

export type PlannedChange = {
  content: Content
  /** The difference from the given product; undefined if nothing differs. */
  step: Differences | undefined
  inventory: InventoryInput | undefined
  /** For a variant whose axis values may have changed. */
  axes: string[] | undefined
}

/** A change to an earlier version: the patch, and the provenance entries of the restored values. */
export type Restoration = {
  buildPatch: (before: Content) => ProductPatch
  /** Throws if the patch must not be written. */
  checkPatch: (patch: ProductPatch) => void
  entries: Entries
}

export function planPatch(
  writable: Writable,
  target: Target,
  row: ProductRow,
  patch: ProductPatch,
): Promise<PlannedChange> {
  // A client that sends back what it read has not checked the texts in it.
  return planChange(writable, target, row, patch, patchContent, { renews: target.readOnly === undefined })
}

export function planReplacement(
  writable: Writable,
  target: Target,
  row: ProductRow,
  input: NewProduct,
): Promise<PlannedChange> {
  return planChange(writable, target, row, input, replaceContent)
}

/** A restored field gets the provenance entry that it had in that version, or none. */
export async function planRestoration(
  writable: Writable,
  target: Target,
  row: ProductRow,
  { buildPatch, checkPatch, entries }: Restoration,
): Promise<PlannedChange> {
  const patch = buildPatch(contentOf(row))
  checkPatch(patch)
  const planned = await planChange(writable, target, row, patch, patchContent)
  if (planned.step === undefined) return planned
  const changed = changedFields(planned.step)
  const provenance = Object.fromEntries(Object.entries(entries).filter(([field]) => changed.has(field)))
  return Object.keys(provenance).length === 0
    ? planned
    : { ...planned, step: { ...planned.step, provenance } }
}

/** Computes what a write changes: resolves its references, and checks it against other products. */
async function planChange<Write extends ProductPatch>(
  writable: Writable,
  { projectId, author, ruleset, isStrict = false, readOnly, confirmed }: Target,
  row: ProductRow,
  write: Write,
  buildContent: (before: Content, write: Write, names: ResolvedNames) => Content,
  stamping: { renews?: boolean } = {},
): Promise<PlannedChange> {
  const before = contentOf(row)
  const [categories] =
    write.categories === undefined
      ? []
      : await resolveCategories(writable, projectId, [{ author, categories: write.categories }])
  const find = await lookUpProducts(writable, projectId, referencesOfWrite(write, before), true)
  const versions = await lookUpVersions(writable, projectId, [write.provenance])
  const assets = await lookUpAssets(writable, projectId, [write.media, ...viewMedia(write.views)], true)
  const ownSkus = [row.sku, write.sku ?? row.sku]
  const { resolved, errors: referenceErrors } = resolveStructure(write, find, { isStrict, ownSkus })
  const { media, errors: mediaErrors } = resolveMedia(write.media, before.media, assets)
  const { views, errors: viewErrors } = resolveViews(write.views, before, assets)
  rejectErrors(findUnknownViews(views, ruleset.views))
  const resolvedWrite = views === undefined ? write : { ...write, views }
  const content = buildContent(before, resolvedWrite, { categories, media, ...resolved })
  stampSources(before, content, views, ruleset.views, stamping)
  if (confirmed !== undefined) confirmTexts(content, confirmed)
  const { axes, errors: structureErrors } = applyStructure(write, before, content, find)
  const step = differences(before, content)
  const written = resolveProvenance(write.provenance, versions, step)
  const directionErrors = step === undefined ? [] : findDirectionErrors(step.before, step.after)
  rejectErrors([
    ...directionErrors,
    ...referenceErrors,
    ...mediaErrors,
    ...viewErrors,
    ...structureErrors,
    ...written.errors,
  ])
  // A client can send back what it read, including values that are older than their definition.
  if (step !== undefined || readOnly === undefined) enforceDefinitions(ruleset, before, content, write)
  const stepWithProvenance = step && written.entries && { ...step, provenance: written.entries }
  return { content, step: stepWithProvenance ?? step, inventory: write.inventory, axes }
}

/** The stock after a write, and its adjustment if the stock changes. Rejects negative stock. */
export function planStock(
  row: ProductRow,
  content: Content,
  inventory: InventoryInput | undefined,
): Pick<Change, 'adjustments'> & { levels: StockLevels } {
  const { quantity = row.quantity, reserved = row.reserved } = inventory ?? {}
  const levels = { quantity, reserved }
  if (quantity < 0 && quantity !== row.quantity) throw negativeQuantity()
  rejectNegativeStock({ ...content.inventory, ...levels })
  const isSame = quantity === row.quantity && reserved === row.reserved
  return { levels, adjustments: isSame ? [] : [{ delta: quantity - row.quantity, quantity }] }
}
