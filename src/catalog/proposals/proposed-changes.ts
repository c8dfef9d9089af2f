import { changedFields, type FieldChange } from '../../model/fields/changed-fields.ts'
import { defaultContent } from '../../model/product/product-content.ts'
import type { Reference } from '../../model/structure/structure.schema.ts'
import type { AppliedLine } from '../batches/apply-lines.ts'
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

type Category = { id: number; name: string }

function keepable(field: string, value: unknown, paths: FreshPaths): unknown {
  if (value === null) return null
  if (field === 'categories') return (value as Category[]).map((category) => namedCategory(category, paths))
  if (field === 'parent') return knownReference(value as Reference)
  if (field === 'components' || field.startsWith('links.')) return (value as Reference[]).map(knownReference)
  return value
}

/** A category that is still to be made is named by its path. */
function namedCategory({ id, name }: Category, paths: FreshPaths) {
  return id > 0 ? { id, name } : { id: null, name, path: paths.get(id) ?? [name] }
}

/** The paths of categories that are still to be made, by the numbers that they have until then. */
export type FreshPaths = ReadonlyMap<number, string[]>

export function freshPaths({ byPath }: FreshCategories): FreshPaths {
  return new Map([...byPath].map(([path, { category }]) => [category.id, JSON.parse(path)]))
}

function knownReference<Named extends Reference>(reference: Named): Named {
  const { id } = reference
  return id !== null && id < 0 ? { ...reference, id: null } : reference
}
