import type { CategoryReference } from '../../model/categories/category-reference.ts'
import type { FieldChange } from '../../model/fields/changed-fields.ts'
import { fieldPointer, nestFields } from '../../model/fields/field-paths.ts'
import { mapReferences, referencesByPath } from '../../model/fields/references.ts'
import { isSameValue } from '../../model/fields/same-value.ts'
import { isSourcePath } from '../../model/fields/view-paths.ts'
import { productLimits } from '../../model/limits/products.ts'
import { contentValueAt } from '../../model/product/product-content.ts'
import type { PushedProduct } from '../../model/product/product-input.schema.ts'
import type { Reference } from '../../model/structure/structure.schema.ts'
import type { BodyError } from '../../platform/http/problems.ts'
import type { ProductState, PushedLine } from '../batches/apply-line.ts'
import { duplicateSku } from '../products/create-product.ts'
import { type CurrentProducts, isFollowing, newSku, type OpenLine } from './open-line.sql.ts'
import type { Outcome } from './proposal.schema.ts'
import type { CategoryName, Changes, Conflicts, Patch, ProposedCategories } from './proposal-line.sql.ts'

/**
 * Merges by field: compares the value when the change was proposed, the current value and the proposed value. A field is a
 * conflict unless its current value is one of the other two.
 */
export function conflictsOf(
  line: Pick<OpenLine, 'outcome' | 'changes' | 'categories' | 'sku' | 'product_id'>,
  current: ProductState | undefined,
): Conflicts {
  if (current === undefined) return {}
  const { outcome, changes, categories, sku } = line
  const isForeign = outcome === 'created' || (isFollowing(line) && current.created === undefined)
  if (isForeign) return { sku: { base: null, theirs: sku, ours: sku } }
  return Object.fromEntries(
    Object.entries(withImplied(changes ?? {})).flatMap(([field, { before: base, after: ours }]) => {
      // A fingerprint follows its text.
      if (isSourcePath(field)) return []
      // Added and removed categories apply to any current list.
      if (referencesByPath.get(field) === 'categories' && categories !== null) return []
      const theirs = contentValueAt(current, field) ?? null
      const isFree = isUnchanged(field, base, theirs) || isSameValue(field, ours, theirs)
      return isFree ? [] : [[field, { base, theirs, ours }]]
    }),
  )
}

/** A product that stops being configurable loses its axes, including those that were added since. */
function withImplied(changes: Changes): Changes {
  const type = changes['product_type']?.after
  const losesAxes = type !== undefined && type !== 'configurable' && !('variant_axes' in changes)
  return losesAxes ? { ...changes, variant_axes: { before: [], after: [] } } : changes
}

type Named = { id: number | null; name?: string; sku?: string }

/** Objects that earlier lines create had no ID when the change was proposed: these are compared by name or SKU. */
function isUnchanged(field: string, base: unknown, theirs: unknown): boolean {
  const named = referencesByPath.get(field)
  if (named === 'product' && base !== null && theirs !== null) {
    const [before, now] = [base as Named, theirs as Named]
    return before.id === null ? before.sku === now.sku : before.id === now.id
  }
  if (named !== 'categories') return isSameValue(field, base, theirs)
  const [before, now] = [base, theirs].map((list) => (list ?? []) as Named[]) as [Named[], Named[]]
  return (
    before.length === now.length &&
    before.every(({ id, name }, index) => (id === null ? name === now[index]?.name : id === now[index]?.id))
  )
}

const maxErrors = 20

export function changedSince(conflicts: Conflicts, holder: number | undefined): BodyError[] {
  return Object.keys(conflicts)
    .slice(0, maxErrors)
    .map((field) => ({
      pointer: fieldPointer(field),
      code: 'changed_since',
      message:
        field === 'sku' && conflicts['sku']?.base === null
          ? `product ${holder} was created with this SKU since`
          : 'was changed by someone else since',
    }))
}

const levels = new Set(['inventory.quantity', 'inventory.reserved'])

/** Stock level changes, which the history does not record. */
export function stockChanges(changes: Iterable<[string, FieldChange]>): Changes | null {
  const stock = [...changes].filter(([field]) => levels.has(field))
  return stock.length === 0 ? null : Object.fromEntries(stock)
}

/** The stock of a new product, as changes. */
export function newStock({ inventory }: Patch): Changes | null {
  const fields = Object.entries(inventory ?? {})
  return stockChanges(fields.map(([name, after]) => [`inventory.${name}`, { before: null, after }]))
}

/** The version on which a line is based. Null if the line changes stock levels, which have no version. */
export function baseVersion(changes: Changes | null, version: number | null): number | null {
  return stockChanges(Object.entries(changes ?? {})) === null ? version : null
}

type ProductLine = Omit<OpenLine, 'state' | 'is_edited' | 'base_version'>

/** A proposal line as a push line with the current SKU of its product, or with the errors that prevent it. */
export function pushedLine(line: ProductLine, { byId, takenSkus }: CurrentProducts): PushedLine {
  const { product_id } = line
  if (product_id === null) return asPushLine(line, line.sku ?? '', [])
  const product = byId.get(product_id)
  if (product === undefined)
    return withError(line, {
      pointer: '',
      code: 'not_found',
      message: `product ${product_id} no longer exists`,
    })
  const [sku] = newSku(line)
  const holder = sku === undefined ? undefined : takenSkus.get(sku)
  if (sku !== undefined && holder !== undefined && holder !== product_id)
    return withError(line, {
      pointer: '/sku',
      code: 'duplicate_sku',
      message: duplicateSku(sku, holder).message,
    })
  // The first of several lines with the same new SKU gets it.
  if (sku !== undefined) takenSkus.set(sku, product_id)
  return asPushLine(line, product.sku, product.category_ids)
}

function asPushLine(line: ProductLine, sku: string, categoryIds: readonly number[]): PushedLine {
  const product = pushedProduct(line, sku, categoryIds)
  if ((product.categories?.length ?? 0) > productLimits.categories) return withError(line, tooManyCategories)
  return { line: line.line, sku, product }
}

const tooManyCategories = {
  pointer: '/categories',
  code: 'too_many',
  message: `must not have more than ${productLimits.categories} items`,
}

function withError({ line, sku }: ProductLine, error: BodyError): PushedLine {
  return { line, sku, errors: [error] }
}

/** The merge patch of a line, for a product with this SKU and these categories. */
function pushedProduct(
  line: Pick<OpenLine, 'outcome' | 'patch' | 'changes' | 'categories'>,
  sku: string,
  categoryIds: readonly number[],
): PushedProduct {
  const product = { sku, ...(line.patch ?? patchFromChanges(line.outcome, line.changes)) }
  if (line.categories === null) return product
  return { ...product, categories: editedCategories(categoryIds, line.categories) }
}

/** The merge patch that makes these changes. */
export function patchFromChanges(outcome: Outcome, changes: Changes | null): Patch {
  const values = Object.entries(changes ?? {}).map(([field, { after }]): [string, unknown] => [
    field,
    asInput(field, after),
  ])
  const patch: Patch = nestFields(values)
  // Without this, a new product with stock would be tracked.
  if (outcome === 'created' && patch.inventory !== undefined)
    patch.inventory = { tracked: false, ...patch.inventory }
  return patch
}

/** The categories of a product after edits. */
export function editedCategories(
  ids: readonly number[],
  { add, remove }: ProposedCategories,
): PushedProduct['categories'] & object {
  const kept = ids.filter((id) => !remove.includes(id))
  const added = add.filter((category) => !('id' in category) || !kept.includes(category.id))
  return [...kept.map((id) => ({ id })), ...added]
}

function asInput(field: string, value: unknown): unknown {
  const named = value ?? (referencesByPath.get(field) === 'categories' ? [] : null)
  return mapReferences(field, named, { category: categoryInput, product: referenceInput })
}

type Category = { id: number } | { id: null; path: string[] }

function categoryInput(category: Category): CategoryName & CategoryReference {
  return category.id === null ? { path: category.path } : { id: category.id }
}

/** By ID if there is one, because the SKU may have changed. */
function referenceInput({ id, sku, ...rest }: Reference) {
  return id === null ? { sku, ...rest } : { id, ...rest }
}
