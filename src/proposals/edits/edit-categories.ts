import { idOf, nameOf, pathOf, type Reference } from '../../categories/category-reference.ts'
import { normalise } from '../../http/request/validate-body.ts'
import type { Edit } from './edit.schema.ts'

type References = ReadonlyMap<string, Reference>

/**
 * What edits do to the categories of a product. Where the list is whole, added ones are in it already; a removed one that the list
 * does not name in the same way is kept, because it may be the same category by another name.
 */
export type CategoryEdits = { whole?: References; added: References; removed: References }

export const noCategoryEdits: CategoryEdits = { added: new Map(), removed: new Map() }

/** The edits so far and one more: of an added and a removed category the later edit decides. */
export function editCategories(before: CategoryEdits, { op, value }: Edit): CategoryEdits {
  const given = new Map(((value ?? []) as Reference[]).map((one) => [keyOf(one), structuredClone(one)]))
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

/** The same for two references that are written alike. A name and a path of one name may mean two categories. */
function keyOf(reference: Reference): string {
  const name = nameOf(reference)
  return JSON.stringify(
    idOf(reference) ?? (name === undefined ? pathOf(reference)?.map(normalise) : normalise(name)),
  )
}
