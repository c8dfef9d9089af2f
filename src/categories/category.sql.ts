import type { Queryable, Transaction } from '../database/database.ts'
import { DatabaseFailure } from '../database/failures.ts'
import { type Page, type PageRequest, selectPage } from '../database/select-page.ts'
import { sql } from '../database/sql.ts'
import type { Category } from './category.schema.ts'

const attempts = 20

const columns = sql`id, name, project_id as project, created_at, updated_at`

export function listCategories(
  database: Queryable,
  projectId: number,
  page: PageRequest,
): Promise<Page<Category>> {
  return selectPage(database, {
    columns,
    from: sql`categories`,
    where: sql`project_id = ${projectId}`,
    orderBy: sql`id`,
    page,
  })
}

export async function findCategory(
  database: Queryable,
  projectId: number,
  id: number,
): Promise<Category | undefined> {
  const [row] = await database.query(
    sql<Category>`select ${columns} from categories where project_id = ${projectId} and id = ${id}`,
  )
  return row
}

export async function insertCategory(
  tx: Transaction,
  projectId: number,
  name: string,
): Promise<Category | undefined> {
  const [row] = await tx.query(sql<Category>`
    insert into categories (project_id, name) values (${projectId}, ${name})
    on conflict (project_id, name) do nothing returning ${columns}`)
  return row
}

/** Giving a category the name that it has changes nothing, not even its time. */
export async function renameCategoryRow(
  database: Queryable,
  projectId: number,
  id: number,
  name: string,
): Promise<Category | undefined> {
  const [row] = await database.query(sql<Category>`
    update categories
    set name = ${name}, updated_at = case when name = ${name} then updated_at else clock_timestamp() end
    where project_id = ${projectId} and id = ${id} returning ${columns}`)
  return row
}

export async function deleteCategoryRow(
  database: Queryable,
  projectId: number,
  id: number,
): Promise<boolean> {
  const rows = await database.query(sql<{ id: number }>`
    delete from categories where project_id = ${projectId} and id = ${id} returning id`)
  return rows.length > 0
}

export async function findCategoryIdByName(
  database: Queryable,
  projectId: number,
  name: string,
): Promise<number | undefined> {
  const [row] = await database.query(sql<{ id: number }>`
    select id from categories where project_id = ${projectId} and name = ${name}`)
  return row?.id
}

/** The categories with one of the ids or names. With `hold` they are locked: nobody deletes them until the transaction ends. */
export function findCategories(
  database: Queryable,
  projectId: number,
  { ids, names }: { ids: number[]; names: string[] },
  hold: boolean,
): Promise<{ id: number; name: string }[]> {
  return database.query(sql<{ id: number; name: string }>`
    select id, name from categories
    where project_id = ${projectId} and (id = any(${ids}::bigint[]) or name = any(${names}::text[]))
    order by id ${hold ? sql`for key share` : sql``}`)
}

/** Makes the categories that are new, in the order of their names, so that two writers who name the same ones do not deadlock. */
export async function ensureCategories(
  tx: Queryable,
  projectId: number,
  names: string[],
): Promise<Map<string, number>> {
  const sorted = [...names].sort()
  for (let left = attempts; left > 0; left -= 1) {
    await tx.query(sql`
      insert into categories (project_id, name)
      select ${projectId}, wanted.name from unnest(${sorted}::text[]) as wanted (name)
      where not exists (select from categories as known where known.project_id = ${projectId} and known.name = wanted.name)
      order by wanted.name collate "C"
      on conflict (project_id, name) do nothing`)
    const rows = await tx.query(sql<{ id: number; name: string }>`
      select id, name from categories where project_id = ${projectId} and name = any(${sorted}::text[])
      for key share`)
    // A category that was renamed or deleted between the two statements is made again.
    if (rows.length === sorted.length) return new Map(rows.map(({ id, name }) => [name, id]))
  }
  throw new DatabaseFailure('too_busy', new Error('categories are renamed as fast as they are made'))
}
