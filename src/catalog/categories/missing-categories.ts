import type { NamedCategory } from '../../model/categories/category-reference.ts'
import { type ChangeAuthor, recordEvents } from '../../model/events/record-events.sql.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type CreatedCategory, ensureCategories } from './look-up-categories.sql.ts'

/** A category to create: below an existing or another new category, or at the root. */
type FreshCategory = { category: NamedCategory; above: NamedCategory | undefined; depth: number }

/** By path and by name, so that a second reference finds the same category. */
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
  const fresh = { category: { id: -1 - byPath.size, name }, above, depth: path.length }
  byPath.set(key, fresh)
  byName.getOrInsert(name, []).push(fresh)
  return fresh.category
}

/** Creates the new categories and their missing parents, and sets their IDs. The first author that names one is its author. */
export async function createMissingCategories(
  tx: Queryable,
  projectId: number,
  fresh: FreshCategories,
  requests: Iterable<{ author: ChangeAuthor; categories: Iterable<NamedCategory> }>,
): Promise<void> {
  if (fresh.byPath.size === 0) return
  const unmade = new Map([...fresh.byPath].map(([path, one]) => [one.category, { path, ...one }]))
  const wanted = new Map<NamedCategory, Wanted>()
  for (const { author, categories } of requests)
    for (const category of categories) {
      let one = category.id < 0 ? unmade.get(category) : undefined
      while (one !== undefined && !wanted.has(one.category)) {
        wanted.set(one.category, { ...one, author })
        one = one.above && unmade.get(one.above)
      }
    }
  const levels = Map.groupBy(wanted.values(), ({ depth }) => depth)
  const created: Created[] = []
  for (const depth of [...levels.keys()].sort((one, other) => one - other))
    created.push(...(await createLevel(tx, projectId, levels.get(depth) as Wanted[])))
  await recordCreated(tx, projectId, created)
}

type Wanted = FreshCategory & { path: string; author: ChangeAuthor }
type Created = { row: CreatedCategory; path: string; author: ChangeAuthor }

/** Returns the created categories. Another writer may have created the others. */
async function createLevel(tx: Queryable, projectId: number, level: Wanted[]): Promise<Created[]> {
  const places = level.map(({ category, above }) => ({ parent: above?.id ?? null, name: category.name }))
  const { ids, created } = await ensureCategories(tx, projectId, places)
  for (const [index, { category }] of level.entries()) category.id = ids[index] as number
  const byId = new Map(level.map((one) => [one.category.id, one]))
  return created.flatMap((row) => {
    const one = byId.get(row.id)
    return one === undefined ? [] : [{ row, path: one.path, author: one.author }]
  })
}

async function recordCreated(tx: Queryable, projectId: number, created: Created[]): Promise<void> {
  const byAuthor = Map.groupBy(created, ({ author: { actor, source } }) => `${source} ${actor}`)
  const changes = [...byAuthor.values()].map((some) => ({
    type: 'category.created' as const,
    ...(some[0] as Created).author,
    objects: some.map(({ row, path }) => ({ id: row.id, after: { ...row, path: JSON.parse(path) } })),
  }))
  await recordEvents(tx, projectId, ...changes)
}
