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
 * What edits do to the categories of a product. Where the list is whole, added ones are in it already; a removed one that the list
 * does not name in the same way is kept, because it may be the same category by another name.
 */
export type CategoryEdits = { whole?: References; added: References; removed: References }

export const noCategoryEdits: CategoryEdits = { added: new Map(), removed: new Map() }

/** The edits so far and one more: of an added and a removed category the later edit decides. */
export function editCategories(before: CategoryEdits, { op, value }: Edit): CategoryEdits {
  const references = ((value ?? []) as CategoryReference[]).map(tidied)
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

/** Trimmed and composed, as the check of a line does it: added and removed categories do not stand in the line. */
function tidied(reference: CategoryReference): CategoryReference {
  if (typeof reference === 'number' || 'id' in reference) return structuredClone(reference)
  const name = reference.name === undefined ? undefined : { name: normalizeText(reference.name) }
  return {
    ...('path' in reference && { path: reference.path.map(normalizeText) }),
    ...name,
  } as CategoryReference
}

/** The same for two references that are written alike. A name and a path of one name may mean two categories. */
function keyOf(reference: CategoryReference): string {
  return JSON.stringify(categoryIdOf(reference) ?? categoryNameOf(reference) ?? categoryPathOf(reference))
}
