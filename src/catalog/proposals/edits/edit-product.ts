import type { CategoryReference } from '../../../model/categories/category-reference.ts'
import { nestFields } from '../../../model/fields/field-paths.ts'
import { type Content, contentValueAt } from '../../../model/product/product-content.ts'
import type { PushedProduct } from '../../../model/product/product-input.schema.ts'
import type { StockLevels } from '../../../model/product/stock.ts'
import type { Edit } from './edit.schema.ts'
import { editCategories, noCategoryEdits } from './edit-categories.ts'
import { clearedValue, type Place, placeOf } from './edit-fields.ts'
import { addExactly, multiplyExactly } from './exact-decimals.ts'

type Edited = { content: Content; levels: StockLevels }

/** What edits make of one product, as a line of a push says it; it is checked like any other line. */
export type EditedProduct = {
  /** The fields that edits change, and no others. */
  patch: Omit<PushedProduct, 'sku'> & { sku?: string }
  /** For the categories that the product has, or those of the patch: first these are added, then those are removed. */
  addCategories: CategoryReference[]
  removeCategories: CategoryReference[]
}

const defaultDecimals = 2
// A text of more UTF-16 units than this has more characters than any field takes.
const longestText = 200_000

/** Of edits that checkEdits found no fault in. They apply in order, each to what the edits before it left. */
export function editProduct(edits: readonly Edit[], product: Edited): EditedProduct {
  const values = new Map<string, unknown>()
  let categories = noCategoryEdits
  for (const edit of edits) {
    const place = placeOf(edit.field)
    if (place === undefined) throw new Error(`There is no field ${edit.field} to edit.`)
    if (edit.field === 'categories') {
      categories = editCategories(categories, edit)
      continue
    }
    const currentOf = (field: string) =>
      values.has(field) ? values.get(field) : contentValueAt(product, field)
    const before = currentOf(edit.field)
    if (edit.op === 'rename') {
      const other = `${place.group}.${edit.value}`
      if ((before ?? null) === null || (currentOf(other) ?? null) !== null) continue
      values.set(edit.field, null).set(other, before)
      continue
    }
    const after = edited(edit, place, before)
    // What an edit leaves alone stays out of the patch: an old value that the rules of today refuse is not written again.
    if (after !== before || edit.op === 'set' || edit.op === 'clear') values.set(edit.field, after)
  }
  const { whole, added, removed } = categories
  if (whole !== undefined) values.set('categories', [...whole.values()])
  return {
    patch: nestFields(values),
    addCategories: [...added.values()],
    removeCategories: [...removed.values()],
  }
}

function edited({ op, value, decimals = defaultDecimals }: Edit, place: Place, before: unknown): unknown {
  switch (op) {
    case 'set':
      // The check of a line tidies its values in place, and the edits are for other products too.
      return structuredClone(value)
    case 'clear':
      return clearedValue(place)
    case 'multiply':
      return typeof before === 'number' ? multiplyExactly(before, value as number, decimals) : before
    case 'add':
      return typeof before === 'number' ? addExactly(before, value as number, decimals) : before
    case 'replace':
      if (Array.isArray(before)) return replacedIn(before, value as Replacement)
      return typeof before === 'string' ? editedText(op, value, before) : before
    default:
      return typeof before === 'string' ? editedText(op, value, before) : before
  }
}

type Replacement = { find: string; with: string }

/** Several values are choices: one is replaced as a whole, and none stands there twice. */
function replacedIn(values: unknown[], { find, with: replacement }: Replacement): unknown[] {
  if (!values.includes(find)) return values
  return [...new Set(values.map((one) => (one === find ? replacement : one)))]
}

/** A text that grew too long stays too long, so that the check of the line refuses it: a later edit must not hide what was cut off. */
function editedText(op: Edit['op'], value: unknown, text: string): string {
  if (text.length > longestText) return text
  if (op === 'append') return bounded(text + value)
  if (op === 'prepend') return bounded(value + text)
  const { find, with: replacement } = value as Replacement
  const parts = text.split(find)
  // Many occurrences and a long replacement would make a text larger than the memory.
  const most = Math.floor(longestText / Math.max(replacement.length, 1)) + 2
  return parts.length <= most
    ? bounded(parts.join(replacement))
    : bounded(parts.slice(0, most).join(replacement))
}

function bounded(text: string): string {
  return text.length <= longestText ? text : text.slice(0, longestText + 1).toWellFormed()
}
