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

/** Resolves the categories of many products at once. A new category has a negative ID until it is created; lookups can share these IDs. */
export type CategoryLookup = {
  /** The errors in a list. `pick` must not be called for a list with errors. */
  findErrors(list: readonly CategoryReference[]): BodyError[]
  /** The distinct categories of a list, in order. */
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

  /** The candidates for a name: the root category, or otherwise all existing and new categories with the name. */
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

  /** New categories have no IDs that the message could list. */
  function ambiguityOf(name: string | undefined): string | undefined {
    if (name === undefined) return undefined
    const { length } = named(name)
    const isNew = length > 1 && fresh.byName.has(name)
    return isNew
      ? `${length} existing or new categories are named "${name}"; identify one by its path`
      : ambiguous.get(name)
  }

  /** A new name must not contain bidirectional control characters. Existing categories keep such names. */
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
    findErrors: (list) =>
      list.flatMap((reference, index) => [
        ...referenceErrors(reference, index, byId, ambiguityOf),
        ...directionErrors(reference, index),
      ]),
    pick: (list) => [...new Map(list.map(find).map((category) => [category.id, category])).values()],
  }
}

/** Messages for names that several categories have, none of them at the root. */
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

/** A name that accompanies an ID or a path must be the name of the category. */
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

/** Resolves each list, creates missing categories, and rejects unknown IDs. */
export async function resolveCategories(
  tx: Queryable,
  projectId: number,
  requests: readonly { author: ChangeAuthor; categories: readonly CategoryReference[] }[],
): Promise<NamedCategory[][]> {
  const lists = requests.map(({ categories }) => categories)
  const fresh = noFreshCategories()
  const lookup = await lookUpCategories(tx, projectId, lists, true, fresh)
  const errors = lists.flatMap(lookup.findErrors)
  if (errors.length > 0) throw new Problem('invalid_body', { errors })
  const resolved = lists.map(lookup.pick)
  const named = requests.map(({ author }, index) => ({ author, categories: resolved[index] ?? [] }))
  await createMissingCategories(tx, projectId, fresh, named)
  return resolved
}
