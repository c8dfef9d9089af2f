import { splitAt, unescaped } from '../../model/files/cell-text.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { normalizeText } from '../../platform/http/body/validate-body.ts'
import { type FoundCategory, findCategories } from './look-up-categories.sql.ts'

/** The ID of the category with a path such as `Home/Lamps`, or undefined. */
export async function findCategoryByPath(
  database: Queryable,
  projectId: number,
  path: string,
): Promise<number | undefined> {
  const names = splitAt(path, '/').map((name) => normalizeText(unescaped(name)))
  const found = await findCategories(database, projectId, [], [...new Set(names)], false)
  let parent: number | null = null
  for (const name of names) {
    const id = idBelow(found, parent, name)
    if (id === undefined) return undefined
    parent = id
  }
  return parent ?? undefined
}

function idBelow(found: readonly FoundCategory[], parent: number | null, name: string): number | undefined {
  return found.find((one) => one.name === name && one.parent === parent)?.id
}
