import type { CategoryReference } from '../../../model/categories/category-reference.ts'
import { nestFields } from '../../../model/fields/field-paths.ts'
import { addExactly, multiplyExactly } from '../../../model/product/exact-decimals.ts'
import { type Content, contentValueAt } from '../../../model/product/product-content.ts'
import type { PushedProduct } from '../../../model/product/product-input.schema.ts'
import type { StockLevels } from '../../../model/product/stock.ts'
import type { Edit } from './edit.schema.ts'
import { editCategories, noCategoryEdits } from './edit-categories.ts'
import { clearedValue, type EditTarget, targetOf } from './edit-fields.ts'

type Edited = { content: Content; levels: StockLevels }

/** An edited product as a push line, which is checked like any other line. */
export type EditedProduct = {
  /** Only the fields that edits change. */
  patch: Omit<PushedProduct, 'sku'> & { sku?: string }
  /** Added to the categories of the product or the patch, before others are removed. */
  addCategories: CategoryReference[]
  removeCategories: CategoryReference[]
}

const defaultDecimals = 2
// Text with more UTF-16 code units has more characters than any field allows.
const maxTextLength = 200_000

/** Applies valid edits in order, each to the result of the previous one. */
export function editProduct(edits: readonly Edit[], product: Edited): EditedProduct {
  const values = new Map<string, unknown>()
  let categories = noCategoryEdits
  for (const edit of edits) {
    const target = targetOf(edit.field)
    if (target === undefined) throw new Error(`The field ${edit.field} does not exist.`)
    if (edit.field === 'categories') {
      categories = editCategories(categories, edit)
      continue
    }
    const currentOf = (field: string) =>
      values.has(field) ? values.get(field) : contentValueAt(product, field)
    const before = currentOf(edit.from ?? edit.field)
    if (edit.op === 'rename') {
      const other = `${target.group}.${edit.value}`
      if ((before ?? null) === null || (currentOf(other) ?? null) !== null) continue
      values.set(edit.field, null).set(other, before)
      continue
    }
    const after = edited(edit, target, before)
    if (edit.from !== undefined && typeof after !== 'number') continue
    // An unchanged value stays out of the patch, because current rules may reject an old value.
    if (after !== before || edit.op === 'set' || edit.op === 'clear' || edit.from !== undefined)
      values.set(edit.field, after)
  }
  const { whole, added, removed } = categories
  if (whole !== undefined) values.set('categories', [...whole.values()])
  return {
    patch: nestFields(values),
    addCategories: [...added.values()],
    removeCategories: [...removed.values()],
  }
}

function edited(
  { op, value, decimals = defaultDecimals, round }: Edit,
  target: EditTarget,
  before: unknown,
): unknown {
  switch (op) {
    case 'set':
      // The check of a line normalizes values in place, and the edits apply to other products, too.
      return structuredClone(value)
    case 'clear':
      return clearedValue(target)
    case 'multiply':
      return typeof before === 'number'
        ? multiplyExactly(before, value as number, { decimals, ...round })
        : before
    case 'add':
      return typeof before === 'number' ? addExactly(before, value as number, { decimals, ...round }) : before
    case 'replace':
      if (Array.isArray(before)) return replacedIn(before, value as Replacement)
      return typeof before === 'string' ? editedText(op, value, before) : before
    default:
      return typeof before === 'string' ? editedText(op, value, before) : before
  }
}

type Replacement = { find: string; with: string }

/** A list holds choices: an equal value is replaced, and duplicates are removed. */
function replacedIn(values: unknown[], { find, with: replacement }: Replacement): unknown[] {
  if (!values.includes(find)) return values
  return [...new Set(values.map((one) => (one === find ? replacement : one)))]
}

/** Text that exceeds the limit stays too long, so that the check of the line rejects it. */
function editedText(op: Edit['op'], value: unknown, text: string): string {
  if (text.length > maxTextLength) return text
  if (op === 'append') return bounded(text + value)
  if (op === 'prepend') return bounded(value + text)
  const { find, with: replacement } = value as Replacement
  const parts = text.split(find)
  // Many occurrences and a long replacement could exceed the memory.
  const most = Math.floor(maxTextLength / Math.max(replacement.length, 1)) + 2
  return parts.length <= most
    ? bounded(parts.join(replacement))
    : bounded(parts.slice(0, most).join(replacement))
}

function bounded(text: string): string {
  return text.length <= maxTextLength ? text : text.slice(0, maxTextLength + 1).toWellFormed()
}
