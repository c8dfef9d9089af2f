import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { NewSavedView, SavedView, SavedViewChanges } from './saved-view.schema.ts'

/** Each user has separate views in each project. */
export type Owner = { projectId: number; userId: number }

const columns = sql`view.id, view.name, view.query, view.created_at, view.updated_at`

export function listSavedViews(database: Queryable, { projectId, userId }: Owner): Promise<SavedView[]> {
  return database.query(sql<SavedView>`
    select ${columns} from saved_views as view
    where view.project_id = ${projectId} and view.user_id = ${userId} order by view.name`)
}

export async function insertSavedView(
  tx: Transaction,
  { projectId, userId }: Owner,
  { name, query }: NewSavedView,
): Promise<SavedView> {
  const [row] = await tx.query(sql<SavedView>`
    insert into saved_views as view (project_id, user_id, name, query)
    values (${projectId}, ${userId}, ${name}, ${query}) returning ${columns}`)
  return row as SavedView
}

export async function updateSavedView(
  tx: Transaction,
  { projectId, userId }: Owner,
  id: number,
  { name = null, query = null }: { [Key in keyof SavedViewChanges]: SavedViewChanges[Key] | null },
): Promise<SavedView | undefined> {
  const [row] = await tx.query(sql<SavedView>`
    update saved_views as view
    set name = coalesce(${name}, view.name), query = coalesce(${query}, view.query), updated_at = now()
    where view.project_id = ${projectId} and view.user_id = ${userId} and view.id = ${id} returning ${columns}`)
  return row
}

/** Returns whether the view existed. */
export async function deleteSavedViewRow(
  tx: Transaction,
  { projectId, userId }: Owner,
  id: number,
): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from saved_views where project_id = ${projectId} and user_id = ${userId} and id = ${id} returning id`)
  return rows.length > 0
}
