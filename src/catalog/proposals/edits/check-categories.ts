import type { CategoryReference } from '../../../model/categories/category-reference.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { BodyError } from '../../../platform/http/problems.ts'
import { lookUpCategories } from '../../categories/look-up-categories.ts'
import type { Edit } from './edit.schema.ts'

/** Errors for categories of edits that do not exist or are ambiguous. */
export async function checkCategories(
  database: Queryable,
  projectId: number,
  edits: readonly Edit[],
): Promise<BodyError[]> {
  const lists = edits.map(({ field, value }) =>
    field === 'categories' && Array.isArray(value) ? (value as CategoryReference[]) : [],
  )
  const lookup = await lookUpCategories(database, projectId, lists, false)
  return lists.flatMap((list, index) =>
    lookup.findErrors(list).map(({ pointer, ...error }) => ({
      ...error,
      pointer: pointer.replace('/categories', `/edits/${index}/value`),
    })),
  )
}
