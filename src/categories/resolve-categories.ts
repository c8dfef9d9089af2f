import type { Transaction } from '../database/database.ts'
import { type Fault, Problem } from '../http/problems.ts'
import { ensureCategories, findCategoryIds } from './category.sql.ts'

/** How a product names a category: by id, or by a name that is made when new. */
type Reference = number | { id: number } | { name: string }

/** The category ids of each product, in order, each once. An id that the project does not have is a fault. */
export async function resolveCategories(
  tx: Transaction,
  projectId: number,
  lists: Reference[][],
): Promise<number[][]> {
  const references = lists.flat()
  const ids = references.flatMap((reference) => idOf(reference) ?? [])
  const names = references.flatMap((reference) => nameOf(reference) ?? [])
  const known = ids.length === 0 ? new Set<number>() : await findCategoryIds(tx, projectId, [...new Set(ids)])
  refuseUnknown(lists, known)
  const idsByName =
    names.length === 0
      ? new Map<string, number>()
      : await ensureCategories(tx, projectId, [...new Set(names)])
  return lists.map((list) => [
    ...new Set(
      list.map((reference) => idOf(reference) ?? (idsByName.get(nameOf(reference) ?? '') as number)),
    ),
  ])
}

function refuseUnknown(lists: Reference[][], known: Set<number>): void {
  const faults: Fault[] = lists.flatMap((list) =>
    list.flatMap((reference, index) => {
      const id = idOf(reference)
      if (id === undefined || known.has(id)) return []
      return {
        pointer: `/categories/${index}`,
        code: 'unknown_category',
        message: `there is no category ${id} in this project`,
      }
    }),
  )
  if (faults.length > 0) throw new Problem('invalid_body', { errors: faults })
}

function idOf(reference: Reference): number | undefined {
  if (typeof reference === 'number') return reference
  return 'id' in reference ? reference.id : undefined
}

function nameOf(reference: Reference): string | undefined {
  return typeof reference === 'object' && 'name' in reference ? reference.name : undefined
}
