import type { Reference as CategoryReference } from '../../model/categories/category-reference.ts'
import { nestFields } from '../../model/fields/field-paths.ts'
import { mapReferences, referencesByPath } from '../../model/fields/references.ts'
import type { PushedProduct } from '../../model/product/product-input.schema.ts'
import type { Reference } from '../../model/structure/structure.schema.ts'
import type { Outcome } from './proposal.schema.ts'
import type { CategoryEdits, CategoryName, Changes, OpenLine, Patch } from './proposal-line.sql.ts'

/** What a line writes, as a push would say it of the product that has the SKU now, with the categories that it has. */
export function pushedProduct(
  line: Pick<OpenLine, 'outcome' | 'patch' | 'changes' | 'categories'>,
  sku: string,
  categoryIds: readonly number[],
): PushedProduct {
  const product = { sku, ...(line.patch ?? patchOf(line.outcome, line.changes)) }
  if (line.categories === null) return product
  return { ...product, categories: editedCategories(categoryIds, line.categories) }
}

/** Changes as a push would say them. */
export function patchOf(outcome: Outcome, changes: Changes | null): Patch {
  const values = Object.entries(changes ?? {}).map(([field, { after }]): [string, unknown] => [
    field,
    asInput(field, after),
  ])
  const patch: Patch = nestFields(values)
  // A new product is not tracked unless it says so; with a stock of its own it would be.
  if (outcome === 'created' && patch.inventory !== undefined)
    patch.inventory = { tracked: false, ...patch.inventory }
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
  const named = value ?? (referencesByPath.get(field) === 'categories' ? [] : null)
  return mapReferences(field, named, { category: categoryInput, product: referenceInput })
}

type Category = { id: number } | { id: null; path: string[] }

function categoryInput(category: Category): CategoryName & CategoryReference {
  return category.id === null ? { path: category.path } : { id: category.id }
}

/** By the id where there is one: the SKU may be another by now. */
function referenceInput({ id, sku, ...rest }: Reference) {
  return id === null ? { sku, ...rest } : { id, ...rest }
}
