import type { Queryable, Transaction } from '../database/database.ts'
import type { BodyFault } from '../http/problems.ts'
import { ensureCategories, findCategories } from './category.sql.ts'
import { idOf, type NamedCategory, nameOf, type Reference, unknownCategories } from './resolve-categories.ts'

/**
 * The categories that many products name, looked up at once. One that is new has a number below zero until it is made; books
 * that share their fresh ones share these numbers.
 */
export type CategoryLookup = {
  /** A list that names an unknown one is refused by its faults, and never picked. */
  faults(list: readonly Reference[]): BodyFault[]
  pick(list: readonly Reference[]): NamedCategory[]
}

export async function lookUpCategories(
  database: Queryable,
  projectId: number,
  lists: readonly (readonly Reference[])[],
  hold: boolean,
  fresh: Map<string, NamedCategory> = new Map(),
): Promise<CategoryLookup> {
  const ids = new Set<number>()
  const names = new Set<string>()
  for (const reference of lists.flat()) {
    const id = idOf(reference)
    if (id === undefined) names.add(nameOf(reference) as string)
    else ids.add(id)
  }
  const found =
    ids.size + names.size === 0
      ? []
      : await findCategories(database, projectId, { ids: [...ids], names: [...names] }, hold)
  const byId = new Map(found.map((category) => [category.id, category]))
  const byName = new Map(found.map((category) => [category.name, category]))
  for (const name of names) if (!byName.has(name)) byName.set(name, freshCategory(fresh, name))
  return {
    faults: (list) => unknownCategories(list, byId),
    pick(list) {
      const picked = list.map((reference) => {
        const id = idOf(reference)
        return (id === undefined ? byName.get(nameOf(reference) as string) : byId.get(id)) as NamedCategory
      })
      return [...new Map(picked.map((category) => [category.id, category])).values()]
    },
  }
}

function freshCategory(fresh: Map<string, NamedCategory>, name: string): NamedCategory {
  const known = fresh.get(name) ?? { id: -1 - fresh.size, name }
  fresh.set(name, known)
  return known
}

/** Makes those of the categories that are new; they have their numbers from then on. */
export async function createMissingCategories(
  tx: Transaction,
  projectId: number,
  categories: Iterable<NamedCategory>,
): Promise<void> {
  const fresh = new Map<string, NamedCategory>()
  for (const category of categories) if (category.id < 0) fresh.set(category.name, category)
  if (fresh.size === 0) return
  const made = await ensureCategories(tx, projectId, [...fresh.keys()])
  for (const [name, category] of fresh) category.id = made.get(name) as number
}
