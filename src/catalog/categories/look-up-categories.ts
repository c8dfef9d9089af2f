import {
  type CategoryReference,
  categoryIdOf,
  categoryNameOf,
  categoryPathOf,
  type NamedCategory,
} from '../../model/categories/category-reference.ts'
import type { ChangeAuthor } from '../../model/events/record-events.sql.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type BodyError, Problem } from '../../platform/http/problems.ts'
import { directionControls, plainName } from '../../platform/http/request/name.schema.ts'
import { type FoundCategory, findCategories, findPaths } from './look-up-categories.sql.ts'
import {
  createMissingCategories,
  type FreshCategories,
  freshCategory,
  noFreshCategories,
} from './missing-categories.ts'

/**
 * The categories that many products name, looked up at once. A new category has a number below zero until it is made; look-ups
 * that share their new categories share these numbers.
 */
export type CategoryLookup = {
  /** What is wrong with a list. Such a list is never picked. */
  faults(list: readonly CategoryReference[]): BodyError[]
  /** The categories of a list, in order, each once. */
  pick(list: readonly CategoryReference[]): NamedCategory[]
}

export async function lookUpCategories(
  database: Queryable,
  projectId: number,
  lists: readonly (readonly CategoryReference[])[],
  withLock: boolean,
  fresh: FreshCategories = noFreshCategories(),
): Promise<CategoryLookup> {
  const references = lists.flat()
  const ids = new Set(references.flatMap((reference) => categoryIdOf(reference) ?? []))
  const names = new Set(references.flatMap((reference) => categoryNameOf(reference) ?? []))
  const inPaths = references.flatMap((reference) => categoryPathOf(reference) ?? [])
  const found =
    references.length === 0
      ? []
      : await findCategories(database, projectId, [...ids], [...new Set([...names, ...inPaths])], withLock)
  const byId = new Map<number, NamedCategory>(found.map(({ id, name }) => [id, { id, name }]))
  const byName = Map.groupBy(found, ({ name }) => name)
  const ambiguous = await describeAmbiguous(database, projectId, names, byName)

  function byPath(path: readonly string[]): NamedCategory {
    let above: NamedCategory | undefined
    for (const [index, name] of path.entries()) {
      const parent = above?.id ?? null
      const known = byName.get(name)?.find((one) => one.parent === parent)
      above = known === undefined ? freshCategory(fresh, path.slice(0, index + 1), above) : byId.get(known.id)
    }
    return above as NamedCategory
  }

  /** What a name may mean: the category at the root, or else all that have it, those too that will be made. */
  function named(name: string): NamedCategory[] {
    const known = byName.get(name) ?? []
    const isAtRoot = known.some(({ parent }) => parent === null) || fresh.byPath.has(JSON.stringify([name]))
    if (isAtRoot) return [byPath([name])]
    const unmade = fresh.byName.get(name) ?? []
    return [...known.flatMap(({ id }) => byId.get(id) ?? []), ...unmade.map(({ category }) => category)]
  }

  function find(reference: CategoryReference): NamedCategory {
    const id = categoryIdOf(reference)
    if (id !== undefined) return byId.get(id) as NamedCategory
    const name = categoryNameOf(reference)
    if (name === undefined) return byPath(categoryPathOf(reference) as string[])
    return named(name)[0] ?? byPath([name])
  }

  /** Where some of them are still to be made, they have no ids to tell. */
  function ambiguityOf(name: string | undefined): string | undefined {
    if (name === undefined) return undefined
    const { length } = named(name)
    const isNew = length > 1 && fresh.byName.has(name)
    return isNew
      ? `${length} existing or new categories are named "${name}"; identify one by its path`
      : ambiguous.get(name)
  }

  /** A name that is new may not turn the direction of the text around it; a category that has such a name keeps it. */
  function directionErrors(reference: CategoryReference, index: number): BodyError[] {
    const name = categoryNameOf(reference)
    const path = categoryPathOf(reference) ?? (name === undefined ? [] : [name])
    const isNew = path.some((one) => directionControls.test(one) && !byName.has(one))
    if (!isNew) return []
    const place = name === undefined ? 'path' : 'name'
    const message = `must be ${plainName.description}`
    return [{ pointer: `/categories/${index}/${place}`, code: 'invalid_format', message }]
  }

  return {
    faults: (list) =>
      list.flatMap((reference, index) => [
        ...referenceErrors(reference, index, byId, ambiguityOf),
        ...directionErrors(reference, index),
      ]),
    pick: (list) => [...new Map(list.map(find).map((category) => [category.id, category])).values()],
  }
}

/** Names that several categories have, and none of them at the root, with a sentence that tells where they are. */
async function describeAmbiguous(
  database: Queryable,
  projectId: number,
  names: ReadonlySet<string>,
  byName: ReadonlyMap<string, FoundCategory[]>,
): Promise<Map<string, string>> {
  const several = [...names].flatMap((name) => {
    const same = byName.get(name) ?? []
    return same.length > 1 && same.every(({ parent }) => parent !== null) ? same : []
  })
  if (several.length === 0) return new Map()
  const paths = await findPaths(
    database,
    projectId,
    several.map(({ id }) => id),
  )
  const listed = Map.groupBy(several, ({ name }) => name)
  return new Map([...listed].map(([name, same]) => [name, ambiguity(name, same, paths)]))
}

const maxListed = 10

function ambiguity(name: string, same: FoundCategory[], paths: ReadonlyMap<number, string[]>): string {
  const listed = same.slice(0, maxListed).map(({ id }) => `${id} ${JSON.stringify(paths.get(id))}`)
  const others = same.length > maxListed ? ` and ${same.length - maxListed} others` : ''
  return `${same.length} categories are named "${name}": ${listed.join(', ')}${others}; identify one by its ID or path`
}

function referenceErrors(
  reference: CategoryReference,
  index: number,
  known: ReadonlyMap<number, NamedCategory>,
  ambiguityOf: (name: string | undefined) => string | undefined,
): BodyError[] {
  const pointer = `/categories/${index}`
  const id = categoryIdOf(reference)
  if (id !== undefined && !known.has(id)) {
    const message = `there is no category ${id} in this project`
    return [{ pointer, code: 'unknown_category', message }]
  }
  const message = ambiguityOf(categoryNameOf(reference))
  if (message !== undefined) return [{ pointer, code: 'ambiguous_category', message }]
  const mismatch = mismatchOf(reference, id === undefined ? undefined : known.get(id))
  return mismatch === undefined
    ? []
    : [{ pointer: `${pointer}/name`, code: 'category_mismatch', message: mismatch }]
}

/** A name beside an id or a path has to be that of the category. */
function mismatchOf(reference: CategoryReference, byId: NamedCategory | undefined): string | undefined {
  const given = typeof reference === 'number' ? undefined : reference.name
  if (given === undefined || categoryNameOf(reference) !== undefined) return undefined
  if (byId !== undefined)
    return given === byId.name
      ? undefined
      : `is not the name of category ${byId.id}, which is named "${byId.name}"; leave it out`
  return given === categoryPathOf(reference)?.at(-1)
    ? undefined
    : 'is not the last name of the path; leave it out'
}

/** The categories of each list. New ones are made; an id that the project does not have is a fault of the body. */
export async function resolveCategories(
  tx: Queryable,
  projectId: number,
  requests: readonly { author: ChangeAuthor; categories: readonly CategoryReference[] }[],
): Promise<NamedCategory[][]> {
  const lists = requests.map(({ categories }) => categories)
  const fresh = noFreshCategories()
  const lookup = await lookUpCategories(tx, projectId, lists, true, fresh)
  const errors = lists.flatMap(lookup.faults)
  if (errors.length > 0) throw new Problem('invalid_body', { errors })
  const resolved = lists.map(lookup.pick)
  const named = requests.map(({ author }, index) => ({ author, categories: resolved[index] ?? [] }))
  await createMissingCategories(tx, projectId, fresh, named)
  return resolved
}
