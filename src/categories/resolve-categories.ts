import type { Queryable } from '../database/database.ts'
import { type BodyFault, Problem } from '../http/problems.ts'
import { ensureCategories, findCategoryNames } from './category.sql.ts'

/** How a product names a category: by id, or by a name that is made when new. */
export type Reference = number | { id: number } | { name: string }
export type NamedCategory = { id: number; name: string }

/** The categories of each product, in order, each once. An id that the project does not have is a fault. */
export async function resolveCategories(
  tx: Queryable,
  projectId: number,
  lists: readonly (readonly Reference[])[],
): Promise<NamedCategory[][]> {
  const references = lists.flat()
  const ids = references.flatMap((reference) => idOf(reference) ?? [])
  const names = references.flatMap((reference) => nameOf(reference) ?? [])
  const byId = ids.length === 0 ? new Map() : await findCategoryNames(tx, projectId, [...new Set(ids)])
  refuseUnknown(lists, byId)
  const byName = names.length === 0 ? new Map() : await ensureCategories(tx, projectId, [...new Set(names)])
  return lists.map((list) => {
    const found = list.map((reference): NamedCategory => {
      const id = idOf(reference) ?? byName.get(nameOf(reference))
      return { id, name: byId.get(id) ?? nameOf(reference) }
    })
    return [...new Map(found.map((category) => [category.id, category])).values()]
  })
}

function refuseUnknown(lists: readonly (readonly Reference[])[], known: ReadonlyMap<number, unknown>): void {
  const faults = lists.flatMap((list) => unknownCategories(list, known))
  if (faults.length > 0) throw new Problem('invalid_body', { errors: faults })
}

export function unknownCategories(
  list: readonly Reference[],
  known: ReadonlyMap<number, unknown>,
): BodyFault[] {
  return list.flatMap((reference, index) => {
    const id = idOf(reference)
    if (id === undefined || known.has(id)) return []
    return {
      pointer: `/categories/${index}`,
      code: 'unknown_category',
      message: `there is no category ${id} in this project`,
    }
  })
}

export function idOf(reference: Reference): number | undefined {
  if (typeof reference === 'number') return reference
  return 'id' in reference ? reference.id : undefined
}

export function nameOf(reference: Reference): string | undefined {
  return typeof reference === 'object' && 'name' in reference ? reference.name : undefined
}
