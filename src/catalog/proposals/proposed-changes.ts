import type { NamedCategory } from '../../model/categories/category-reference.ts'
import { changedFields, type FieldChange } from '../../model/fields/changed-fields.ts'
import { mapReferences } from '../../model/fields/references.ts'
import { defaultContent } from '../../model/product/product-content.ts'
import type { Reference } from '../../model/structure/structure.schema.ts'
import type { AppliedLine } from '../batches/apply-line.ts'
import { storedId } from '../batches/dry-run.ts'
import type { FreshCategories } from '../categories/missing-categories.ts'
import type { Changes } from './proposal-line.sql.ts'

/** The changes of a line, by field, as they are stored: objects that the proposal itself would create have no ID. */
export function proposedChanges({ outcome, changes }: AppliedLine, paths: FreshPaths): Changes {
  if (changes === undefined) return {}
  const fields = outcome === 'created' ? creationFields(changes.after) : changedFields(changes)
  return Object.fromEntries(
    [...fields].map(([field, { before, after }]) => [
      field,
      // After earlier lines of the proposal, `before` may also have such objects.
      { before: storedValue(field, before, paths), after: storedValue(field, after, paths) },
    ]),
  )
}

const creationDefaults = {
  ...defaultContent,
  inventory: { ...defaultContent.inventory, quantity: 0, reserved: 0 },
}

/** The fields of a new product that differ from the defaults. */
export function creationFields(content: object): Map<string, FieldChange> {
  const changed = changedFields({ before: creationDefaults, after: content })
  const filled = [...changed].filter(([, { after }]) => after !== null)
  return new Map(filled.map(([field, { after }]) => [field, { before: null, after }]))
}

function storedValue(field: string, value: unknown, paths: FreshPaths): unknown {
  const category = (one: NamedCategory) => storedCategory(one, paths)
  const product = (reference: Reference) => ({ ...reference, id: storedId(reference.id) })
  return mapReferences(field, value, { category, product })
}

/** A category that does not exist yet is stored by its path. */
function storedCategory({ id, name }: NamedCategory, paths: FreshPaths) {
  return id > 0 ? { id, name } : { id: null, name, path: paths.get(id) ?? [name] }
}

/** The paths of categories that do not exist yet, by their temporary IDs. */
export type FreshPaths = ReadonlyMap<number, string[]>

export function freshPaths({ byPath }: FreshCategories): FreshPaths {
  return new Map([...byPath].map(([path, { category }]) => [category.id, JSON.parse(path)]))
}
