import type { NamedCategory } from '../../model/categories/category-reference.ts'
import { changedFields, type FieldChange } from '../../model/fields/changed-fields.ts'
import { mapReferences } from '../../model/fields/references.ts'
import { defaultContent } from '../../model/product/product-content.ts'
import type { Reference } from '../../model/structure/structure.schema.ts'
import type { AppliedLine } from '../batches/applied-line.ts'
import { storedId } from '../batches/dry-run.ts'
import type { FreshCategories } from '../categories/missing-categories.ts'
import type { Changes } from './proposal-line.sql.ts'

/** What a line would change, by field, in a form that can be kept: what the proposal itself would make has no id. */
export function proposedChanges({ outcome, changes }: AppliedLine, paths: FreshPaths): Changes {
  if (changes === undefined) return {}
  const fields = outcome === 'created' ? creationFields(changes.after) : changedFields(changes)
  return Object.fromEntries(
    [...fields].map(([field, { before, after }]) => [
      field,
      // Of a product that lines before have changed, before is what the proposal would make too.
      { before: keepable(field, before, paths), after: keepable(field, after, paths) },
    ]),
  )
}

const creationDefaults = {
  ...defaultContent,
  inventory: { ...defaultContent.inventory, quantity: 0, reserved: 0 },
}

/** What a new product has beside the defaults. There was nothing before, and what the content does not tell of is no change. */
export function creationFields(content: object): Map<string, FieldChange> {
  const changed = changedFields({ before: creationDefaults, after: content })
  const told = [...changed].filter(([, { after }]) => after !== null)
  return new Map(told.map(([field, { after }]) => [field, { before: null, after }]))
}

function keepable(field: string, value: unknown, paths: FreshPaths): unknown {
  const category = (one: NamedCategory) => keptCategory(one, paths)
  const product = (reference: Reference) => ({ ...reference, id: storedId(reference.id) })
  return mapReferences(field, value, { category, product })
}

/** A category that is still to be made is named by its path. */
function keptCategory({ id, name }: NamedCategory, paths: FreshPaths) {
  return id > 0 ? { id, name } : { id: null, name, path: paths.get(id) ?? [name] }
}

/** The paths of categories that are still to be made, by the numbers that they have until then. */
export type FreshPaths = ReadonlyMap<number, string[]>

export function freshPaths({ byPath }: FreshCategories): FreshPaths {
  return new Map([...byPath].map(([path, { category }]) => [category.id, JSON.parse(path)]))
}
