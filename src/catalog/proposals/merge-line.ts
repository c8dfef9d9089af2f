import type { FieldChange } from '../../model/fields/changed-fields.ts'
import { fieldPointer } from '../../model/fields/field-paths.ts'
import { referencesByPath } from '../../model/fields/references.ts'
import { isSameValue } from '../../model/fields/same-value.ts'
import { isSourcePath } from '../../model/fields/view-paths.ts'
import { contentValueAt } from '../../model/product/product-content.ts'
import type { BodyError } from '../../platform/http/problems.ts'
import type { ProductState } from '../batches/apply-line.ts'
import type { Changes, Conflicts, OpenLine, Patch } from './proposal-line.sql.ts'

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

/** Whether a line changes a product that an earlier line of the proposal creates. */
export function isFollowing({ outcome, product_id }: Pick<OpenLine, 'outcome' | 'product_id'>): boolean {
  return product_id === null && outcome !== 'created'
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
