import type { Queryable } from '../database/database.ts'
import { type BodyFault, Problem } from '../http/problems.ts'
import { ensureCategories, findCategories } from './category.sql.ts'

/** How a product names a category: by id, or by a name that is made when new. */
export type Reference = number | { id: number } | { name: string }
export type NamedCategory = { id: number; name: string }

/**
 * The categories that many products name, looked up at once. A new category has a number below zero until it is made; look-ups
 * that share their new categories share these numbers.
 */
export type CategoryLookup = {
  /** What is wrong with a list: ids that the project does not have. Such a list is never picked. */
  faults(list: readonly Reference[]): BodyFault[]
  /** The categories of a list, in order, each once. */
  pick(list: readonly Reference[]): NamedCategory[]
}

export async function lookUpCategories(
  database: Queryable,
  projectId: number,
  lists: readonly (readonly Reference[])[],
  hold: boolean,
  fresh: Map<string, NamedCategory> = new Map(),
): Promise<CategoryLookup> {
  const references = lists.flat()
  const ids = new Set(references.flatMap((reference) => idOf(reference) ?? []))
  const names = new Set(references.flatMap((reference) => nameOf(reference) ?? []))
  const found =
    references.length === 0
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

/** The categories of each list. New ones are made; an id that the project does not have is a fault of the body. */
export async function resolveCategories(
  tx: Queryable,
  projectId: number,
  lists: readonly (readonly Reference[])[],
): Promise<NamedCategory[][]> {
  const lookup = await lookUpCategories(tx, projectId, lists, true)
  const errors = lists.flatMap(lookup.faults)
  if (errors.length > 0) throw new Problem('invalid_body', { errors })
  const resolved = lists.map(lookup.pick)
  await createMissingCategories(tx, projectId, resolved.flat())
  return resolved
}

/** Makes those of the categories that are new; they have their numbers from then on. */
export async function createMissingCategories(
  tx: Queryable,
  projectId: number,
  categories: Iterable<NamedCategory>,
): Promise<void> {
  const fresh = new Map<string, NamedCategory>()
  for (const category of categories) if (category.id < 0) fresh.set(category.name, category)
  if (fresh.size === 0) return
  const made = await ensureCategories(tx, projectId, [...fresh.keys()])
  for (const [name, category] of fresh) category.id = made.get(name) as number
}

function freshCategory(fresh: Map<string, NamedCategory>, name: string): NamedCategory {
  const known = fresh.get(name) ?? { id: -1 - fresh.size, name }
  fresh.set(name, known)
  return known
}

function unknownCategories(list: readonly Reference[], known: ReadonlyMap<number, unknown>): BodyFault[] {
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

function idOf(reference: Reference): number | undefined {
  if (typeof reference === 'number') return reference
  return 'id' in reference ? reference.id : undefined
}

function nameOf(reference: Reference): string | undefined {
  return typeof reference === 'object' && 'name' in reference ? reference.name : undefined
}
