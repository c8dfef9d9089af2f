import type { Queryable } from '../database/database.ts'
import type { NamedCategory } from './category-reference.ts'
import { ensureCategories } from './look-up-categories.sql.ts'

/** A category that is not made yet, below one that exists, or one that is new too, or at the root. */
type FreshCategory = { category: NamedCategory; above: NamedCategory | undefined; depth: number }

/** By their paths and by their names, so that whoever names one a second time finds it. */
export type FreshCategories = { byPath: Map<string, FreshCategory>; byName: Map<string, FreshCategory[]> }

export function noFreshCategories(): FreshCategories {
  return { byPath: new Map(), byName: new Map() }
}

export function freshCategory(
  { byPath, byName }: FreshCategories,
  path: readonly string[],
  above: NamedCategory | undefined,
): NamedCategory {
  const key = JSON.stringify(path)
  const known = byPath.get(key)
  if (known !== undefined) return known.category
  const name = path.at(-1) as string
  const made = { category: { id: -1 - byPath.size, name }, above, depth: path.length }
  byPath.set(key, made)
  byName.getOrInsert(name, []).push(made)
  return made.category
}

/** Makes those of the categories that are new, and what is new above them; they have their numbers from then on. */
export async function createMissingCategories(
  tx: Queryable,
  projectId: number,
  fresh: FreshCategories,
  categories: Iterable<NamedCategory>,
): Promise<void> {
  const unmade = new Map([...fresh.byPath.values()].map((one) => [one.category, one]))
  const wanted = new Set<FreshCategory>()
  for (const category of categories) {
    let one = category.id < 0 ? unmade.get(category) : undefined
    while (one !== undefined) {
      wanted.add(one)
      one = one.above && unmade.get(one.above)
    }
  }
  const levels = Map.groupBy(wanted, ({ depth }) => depth)
  for (const depth of [...levels.keys()].sort((one, other) => one - other)) {
    const level = levels.get(depth) as FreshCategory[]
    const places = level.map(({ category, above }) => ({ parent: above?.id ?? null, name: category.name }))
    const ids = await ensureCategories(tx, projectId, places)
    for (const [index, { category }] of level.entries()) category.id = ids[index] as number
  }
}
