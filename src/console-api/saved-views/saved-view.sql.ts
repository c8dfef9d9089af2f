import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { NewSavedView, SavedView, SavedViewChanges } from './saved-view.schema.ts'

/** Who reads or changes views in a project. */
export type Viewer = { projectId: number; userId: number; isManager: boolean }

/** Owners change their views. Managers also change shared ones. */
const changeable = ({ userId, isManager }: Viewer) =>
  sql`(view.user_id = ${userId} or view.shared and ${isManager}::boolean)`

const columns = (
  viewer: Viewer,
) => sql`view.id, view.name, view.query, view.shared, ${changeable(viewer)} as can_change,
  (select email from users where users.id = view.user_id) as owner, view.created_at, view.updated_at`

/** The user's own views, and those that others share. */
export function listSavedViews(database: Queryable, viewer: Viewer): Promise<SavedView[]> {
  return database.query(sql<SavedView>`
    select ${columns(viewer)} from saved_views as view
    where view.project_id = ${viewer.projectId} and (view.user_id = ${viewer.userId} or view.shared)
    order by view.name, view.id`)
}

/** Undefined if the user cannot see the view. Locks it until the transaction ends. */
export async function lockSavedView(
  tx: Transaction,
  viewer: Viewer,
  id: number,
): Promise<(SavedView & { user_id: number }) | undefined> {
  const [row] = await tx.query(sql<SavedView & { user_id: number }>`
    select ${columns(viewer)}, view.user_id from saved_views as view
    where view.project_id = ${viewer.projectId} and view.id = ${id} and (view.user_id = ${viewer.userId} or view.shared)
    for update`)
  return row
}

export async function countViews(
  tx: Transaction,
  { projectId, userId }: Pick<Viewer, 'projectId' | 'userId'>,
): Promise<{ own: number; shared: number }> {
  const [row] = await tx.query(sql<{ own: number; shared: number }>`
    select (count(*) filter (where user_id = ${userId}))::int as own, (count(*) filter (where shared))::int as shared
    from saved_views where project_id = ${projectId}`)
  return row as { own: number; shared: number }
}

/** Another view of the same owner, or another shared view, with the name. */
export async function findSameName(
  tx: Transaction,
  projectId: number,
  { id, userId, name, shared }: { id: number; userId: number; name: string; shared: boolean },
): Promise<{ id: number; isOwn: boolean } | undefined> {
  const [row] = await tx.query(sql<{ id: number; isOwn: boolean }>`
    select id, user_id = ${userId} as "isOwn" from saved_views
    where project_id = ${projectId} and id <> ${id} and name = ${name}
      and (user_id = ${userId} or shared and ${shared}::boolean) limit 1`)
  return row
}

export async function insertSavedView(
  tx: Transaction,
  viewer: Viewer,
  { name, query, shared = false }: NewSavedView,
): Promise<SavedView> {
  const [row] = await tx.query(sql<SavedView>`
    insert into saved_views as view (project_id, user_id, name, query, shared)
    values (${viewer.projectId}, ${viewer.userId}, ${name}, ${query}, ${shared}) returning ${columns(viewer)}`)
  return row as SavedView
}

export async function updateSavedView(
  tx: Transaction,
  viewer: Viewer,
  id: number,
  {
    name = null,
    query = null,
    shared = null,
  }: { [Key in keyof SavedViewChanges]: SavedViewChanges[Key] | null },
): Promise<SavedView> {
  const [row] = await tx.query(sql<SavedView>`
    update saved_views as view
    set name = coalesce(${name}, view.name), query = coalesce(${query}, view.query),
        shared = coalesce(${shared}, view.shared), updated_at = now()
    where view.project_id = ${viewer.projectId} and view.id = ${id} returning ${columns(viewer)}`)
  return row as SavedView
}

export async function deleteSavedViewRow(tx: Transaction, projectId: number, id: number): Promise<void> {
  await tx.query(sql`delete from saved_views where project_id = ${projectId} and id = ${id}`)
}
