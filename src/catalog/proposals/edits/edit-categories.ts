import {
  type CategoryReference,
  categoryIdOf,
  categoryNameOf,
  categoryPathOf,
} from '../../../model/categories/category-reference.ts'
import { normalizeText } from '../../../platform/http/body/validate-body.ts'
import type { Edit } from './edit.schema.ts'

type References = ReadonlyMap<string, CategoryReference>

/**
 * How edits change the categories of a product. `whole` replaces the list and includes added categories. `removed` retains
 * references that `whole` does not contain, because they may be the same category in another form.
 */
export type CategoryEdits = { whole?: References; added: References; removed: References }

export const noCategoryEdits: CategoryEdits = { added: new Map(), removed: new Map() }

/** Combines earlier edits with one more. If a category is added and removed, the later edit applies. */
export function editCategories(before: CategoryEdits, { op, value }: Edit): CategoryEdits {
  const references = ((value ?? []) as CategoryReference[]).map(normalizeReference)
  const given = new Map(references.map((one) => [keyOf(one), one]))
  if (op === 'set' || op === 'clear') return { ...noCategoryEdits, whole: given }
  const { whole, added, removed } = before
  if (op === 'add_categories') {
    const left = without(removed, given)
    return whole === undefined
      ? { added: joined(added, given), removed: left }
      : { whole: joined(whole, given), added, removed: left }
  }
  const taken = joined(removed, given)
  return whole === undefined
    ? { added: without(added, given), removed: taken }
    : { whole: without(whole, given), added, removed: taken }
}

function joined(some: References, others: References): References {
  return new Map([...some, ...others])
}

function without(some: References, others: References): References {
  return new Map([...some].filter(([key]) => !others.has(key)))
}

/** Normalized here, because added and removed categories are not part of the line that is checked. */
function normalizeReference(reference: CategoryReference): CategoryReference {
  if (typeof reference === 'number' || 'id' in reference) return structuredClone(reference)
  const name = reference.name === undefined ? undefined : { name: normalizeText(reference.name) }
  return {
    ...('path' in reference && { path: reference.path.map(normalizeText) }),
    ...name,
  } as CategoryReference
}

/** Equal for references in the same form. A name and a path with this one name may be two categories. */
function keyOf(reference: CategoryReference): string {
  return JSON.stringify(categoryIdOf(reference) ?? categoryNameOf(reference) ?? categoryPathOf(reference))
}
