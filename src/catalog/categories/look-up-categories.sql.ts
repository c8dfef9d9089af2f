import type { Queryable } from '../../platform/database/database.ts'
import { DatabaseFailure } from '../../platform/database/failures.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import { repeat } from '../../platform/scheduling/retry.ts'
import { writeLimits } from '../limits.ts'
import type { Category } from './category.schema.ts'

export type FoundCategory = { id: number; name: string; parent: number | null }

/** The categories with one of the IDs or names. With `withLock`, no other writer deletes, renames or moves them. */
export function findCategories(
  database: Queryable,
  projectId: number,
  ids: number[],
  names: string[],
  withLock: boolean,
): Promise<FoundCategory[]> {
  return database.query(sql<FoundCategory>`
    select id, name, parent_id as parent from categories
    where project_id = ${projectId} and (id = any(${ids}::bigint[]) or name = any(${names}::text[]))
    order by id ${withLock ? sql`for key share` : sql``}`)
}

/** Names from the root to each of the categories. */
export async function findPaths(
  database: Queryable,
  projectId: number,
  ids: number[],
): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map()
  // Planned each time: a cached plan for few categories would scan all of them for each step.
  const rows = await database.query(
    planEachTime(sql<{ id: number; path: string[] }>`
      with recursive upwards as (
        select id as wanted, parent_id, array[name] as path from categories
        where project_id = ${projectId} and id = any(${ids}::bigint[])
        union all
        select upwards.wanted, above.parent_id, above.name || upwards.path
        from upwards join categories as above on above.project_id = ${projectId} and above.id = upwards.parent_id
        where cardinality(upwards.path) < 100
      )
      select wanted as id, path from upwards where parent_id is null`),
  )
  return new Map(rows.map(({ id, path }) => [id, path]))
}

type Place = { parent: number | null; name: string }

/** A new category without its path, which the caller already has. */
export type CreatedCategory = Omit<Category, 'path'>

/** Creates missing categories in a fixed order, so that writers of the same categories do not deadlock. Returns the ID for each place. */
export async function ensureCategories(
  tx: Queryable,
  projectId: number,
  places: readonly Place[],
): Promise<{ ids: number[]; created: CreatedCategory[] }> {
  const created: CreatedCategory[] = []
  const parents = places.map(({ parent }) => parent)
  const names = places.map(({ name }) => name)
  const wanted = sql`unnest(${parents}::bigint[], ${names}::text[]) as wanted (parent_id, name)`
  const found = await repeat({ attempts: writeLimits.categoryAttempts }, async () => {
    const inserted = await tx.query(sql<CreatedCategory>`
      insert into categories (project_id, parent_id, name)
      select distinct ${projectId}::bigint, wanted.parent_id, wanted.name collate "C" from ${wanted}
      where not exists (
        select from categories as known
        where known.project_id = ${projectId} and known.parent_id is not distinct from wanted.parent_id and known.name = wanted.name)
      order by 2 nulls first, 3
      on conflict (project_id, parent_id, name) do nothing
      returning id, name, project_id as project, created_at, updated_at, parent_id as parent, position`)
    created.push(...inserted)
    const rows = await tx.query(sql<{ id: number; name: string; parent: number | null }>`
      select known.id, known.name, known.parent_id as parent from ${wanted}
      join categories as known on known.project_id = ${projectId} and known.name = wanted.name
        and known.parent_id is not distinct from wanted.parent_id
      for key share of known`)
    const idByPlace = new Map(rows.map(({ id, name, parent }) => [keyOf({ name, parent }), id]))
    const ids = places.map((place) => idByPlace.get(keyOf(place)))
    // A category that was renamed, moved or deleted between the two statements is created again.
    return ids.every((id) => id !== undefined) ? { ids, created } : undefined
  })
  if (found === undefined)
    throw new DatabaseFailure('too_busy', new Error('other writers keep renaming the categories'))
  return found
}

function keyOf({ parent, name }: Place): string {
  return `${parent ?? ''}/${name}`
}
