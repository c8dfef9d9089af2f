import type { FieldChange } from '../../model/fields/changed-fields.ts'
import { splitField } from '../../model/fields/field-paths.ts'
import { referencesByPath } from '../../model/fields/references.ts'
import { isSameValue } from '../../model/fields/same-value.ts'
import { contentValueAt } from '../../model/product/product-content.ts'
import { escapePointer } from '../../platform/http/body/json-scan.ts'
import type { BodyError } from '../../platform/http/problems.ts'
import type { ProductState } from '../batches/applied-line.ts'
import type { Changes, Conflicts, OpenLine, Patch } from './proposal-line.sql.ts'

/**
 * Three-way by field: what a field was when the change was proposed, what it is now, and what it shall be. A field that is as it
 * was, or is already as it shall be, is in nobody's way; the others are conflicts.
 */
export function conflictsOf(
  line: Pick<OpenLine, 'outcome' | 'changes' | 'categories' | 'sku' | 'product_id'>,
  held: ProductState | undefined,
): Conflicts {
  if (held === undefined) return {}
  const { outcome, changes, categories, sku } = line
  const isForeign = outcome === 'created' || (isFollowing(line) && held.created === undefined)
  if (isForeign) return { sku: { base: null, theirs: sku, ours: sku } }
  return Object.fromEntries(
    Object.entries(withImplied(changes ?? {})).flatMap(([field, { before: base, after: ours }]) => {
      // Categories that come and go one by one apply to whatever is there.
      if (referencesByPath.get(field) === 'categories' && categories !== null) return []
      const theirs = contentValueAt(held, field) ?? null
      const isFree = isStill(field, base, theirs) || isSameValue(field, ours, theirs)
      return isFree ? [] : [[field, { base, theirs, ours }]]
    }),
  )
}

/** A product that is configurable no more loses its axes, also those that it got since. */
function withImplied(changes: Changes): Changes {
  const type = changes['product_type']?.after
  const isLeft = type !== undefined && type !== 'configurable' && !('variant_axes' in changes)
  return isLeft ? { ...changes, variant_axes: { before: [], after: [] } } : changes
}

/** Whether a line changes a product that a line before it was to make. */
export function isFollowing({ outcome, product_id }: Pick<OpenLine, 'outcome' | 'product_id'>): boolean {
  return product_id === null && outcome !== 'created'
}

type Named = { id: number | null; name?: string; sku?: string }

/** What lines before were still to make had no id when the change was proposed: by now it has one, and the name that it was given. */
function isStill(field: string, base: unknown, theirs: unknown): boolean {
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

const fieldsTold = 20

export function changedSince(conflicts: Conflicts, holder: number | undefined): BodyError[] {
  return Object.keys(conflicts)
    .slice(0, fieldsTold)
    .map((field) => ({
      pointer: `/${splitField(field).map(escapePointer).join('/')}`,
      code: 'changed_since',
      message:
        field === 'sku' && conflicts['sku']?.base === null
          ? `product ${holder} was made with this SKU since`
          : 'was changed by somebody else since',
    }))
}

const levels = new Set(['inventory.quantity', 'inventory.reserved'])

/** The changes that no history tells of. */
export function stockChanges(changes: Iterable<[string, FieldChange]>): Changes | null {
  const stock = [...changes].filter(([field]) => levels.has(field))
  return stock.length === 0 ? null : Object.fromEntries(stock)
}

/** The stock that a new product has, as changes. */
export function newStock({ inventory }: Patch): Changes | null {
  const fields = Object.entries(inventory ?? {})
  return stockChanges(fields.map(([name, after]) => [`inventory.${name}`, { before: null, after }]))
}

/** The version in which the fields are what they were before a line; none tells of the stock. */
export function baseVersion(changes: Changes | null, version: number | null): number | null {
  return stockChanges(Object.entries(changes ?? {})) === null ? version : null
}
