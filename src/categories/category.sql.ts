import type { Queryable, Transaction } from '../database/database.ts'
import { type Page, type PageRequest, selectPage } from '../database/paged.ts'
import { sql } from '../database/sql.ts'
import type { Category } from './category.schema.ts'

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

/** Those of the ids that the project has. */
export async function findCategoryIds(tx: Queryable, projectId: number, ids: number[]): Promise<Set<number>> {
  const rows = await tx.query(sql<{ id: number }>`
    select id from categories where project_id = ${projectId} and id = any(${ids}::bigint[])`)
  return new Set(rows.map(({ id }) => id))
}

/** Makes the categories that are new; sorted, so that two writers who name the same ones do not block each other. */
export async function ensureCategories(
  tx: Transaction,
  projectId: number,
  names: string[],
): Promise<Map<string, number>> {
  const sorted = [...names].sort()
  await tx.query(sql`
    insert into categories (project_id, name)
    select ${projectId}, wanted.name from unnest(${sorted}::text[]) as wanted (name)
    where not exists (select from categories as known where known.project_id = ${projectId} and known.name = wanted.name)
    on conflict (project_id, name) do nothing`)
  const rows = await tx.query(sql<{ id: number; name: string }>`
    select id, name from categories where project_id = ${projectId} and name = any(${sorted}::text[])`)
  return new Map(rows.map(({ id, name }) => [name, id]))
}
