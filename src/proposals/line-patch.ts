import type { Reference as CategoryReference } from '../categories/category-reference.ts'
import { splitField } from '../products/changed-fields.ts'
import type { PushedProduct } from '../products/product-input.schema.ts'
import type { Reference } from '../structure/structure.schema.ts'
import type { CategoryEdits, CategoryName, OpenLine } from './proposal-line.sql.ts'

type Line = Pick<OpenLine, 'outcome' | 'changes' | 'categories'>

/** The changes of a line as a push would say them, of the product that has the SKU now, with the categories that it has. */
export function patchOf(
  { outcome, changes, categories }: Line,
  sku: string,
  categoryIds: readonly number[],
): PushedProduct {
  const plain: [string, unknown][] = []
  const groups = new Map<string, [string, unknown][]>()
  for (const [field, { after }] of Object.entries(changes ?? {})) {
    const [group, name] = splitField(field)
    const value = asInput(field, after)
    if (name === undefined) plain.push([group, value])
    else groups.getOrInsert(group, []).push([name, value])
  }
  const grouped = [...groups].map(([group, values]) => [group, Object.fromEntries(values)] as const)
  const patch = { sku, ...Object.fromEntries([...plain, ...grouped]) } as PushedProduct
  // A new product is not tracked unless it says so; with a stock of its own it would be.
  if (outcome === 'created' && patch.inventory !== undefined)
    patch.inventory = { tracked: false, ...patch.inventory }
  if (categories !== null) patch.categories = editedCategories(categoryIds, categories)
  return patch
}

/** Those that a product has, without those that are removed, and with those that are added. */
export function editedCategories(
  ids: readonly number[],
  { add, remove }: CategoryEdits,
): PushedProduct['categories'] & object {
  const kept = ids.filter((id) => !remove.includes(id))
  const added = add.filter((category) => !('id' in category) || !kept.includes(category.id))
  return [...kept.map((id) => ({ id })), ...added]
}

function asInput(field: string, value: unknown): unknown {
  if (field === 'categories') return ((value ?? []) as Category[]).map(categoryInput)
  if (value === null) return null
  if (field === 'parent') return referenceInput(value as Reference)
  if (field === 'components' || field.startsWith('links.')) return (value as Reference[]).map(referenceInput)
  return value
}

type Category = { id: number } | { id: null; path: string[] }

function categoryInput(category: Category): CategoryName & CategoryReference {
  return category.id === null ? { path: category.path } : { id: category.id }
}

/** By the id where there is one: the SKU may be another by now. */
function referenceInput<Named extends Reference>({ id, sku, ...rest }: Named) {
  return id === null ? { sku, ...rest } : { id, ...rest }
}
