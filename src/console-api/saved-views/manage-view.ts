import { savedViewLimits } from '../../model/limits/saved-views.ts'
import { advisoryLocks, lockInProject } from '../../platform/database/advisory-locks.ts'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { readView } from './read-view.ts'
import type { NewSavedView, SavedView, SavedViewChanges } from './saved-view.schema.ts'
import {
  countViews,
  deleteSavedViewRow,
  findSameName,
  insertSavedView,
  lockSavedView,
  updateSavedView,
  type Viewer,
} from './saved-view.sql.ts'

export function saveView(
  database: Writable,
  viewer: Viewer,
  { name, query, shared = false }: NewSavedView,
): Promise<SavedView> {
  const view = { name, query: readView(query), shared }
  return database.transaction(async (tx) => {
    await lockViews(tx, viewer)
    await rejectSameName(tx, viewer.projectId, { id: 0, userId: viewer.userId, name, shared })
    const { own } = await countViews(tx, viewer)
    if (own >= savedViewLimits.views) throw new Problem('too_many_views')
    if (shared) await rejectTooManyShared(tx, viewer)
    return insertSavedView(tx, viewer, view)
  })
}

/** The owner stays the same, also if a manager changes the view. */
export function changeView(
  database: Writable,
  viewer: Viewer,
  id: number,
  changes: SavedViewChanges,
): Promise<SavedView> {
  const query = changes.query === undefined ? undefined : readView(changes.query)
  return database.transaction(async (tx) => {
    await lockViews(tx, viewer)
    const before = await requireChangeable(tx, viewer, id)
    const { name = before.name, shared = before.shared } = changes
    await rejectSameName(tx, viewer.projectId, { id, userId: before.user_id, name, shared })
    if (shared && !before.shared) await rejectTooManyShared(tx, viewer)
    return updateSavedView(tx, viewer, id, { name, shared, ...(query !== undefined && { query }) })
  })
}

export function deleteView(database: Writable, viewer: Viewer, id: number): Promise<void> {
  return database.transaction(async (tx) => {
    await requireChangeable(tx, viewer, id)
    await deleteSavedViewRow(tx, viewer.projectId, id)
  })
}

/** Serializes the changes in a project, so that limits are exact and names of shared views are unique. */
function lockViews(tx: Transaction, { projectId }: Viewer): Promise<void> {
  return lockInProject(tx, advisoryLocks.savedViews, projectId, 'alone')
}

async function requireChangeable(
  tx: Transaction,
  viewer: Viewer,
  id: number,
): Promise<SavedView & { user_id: number }> {
  const view = await lockSavedView(tx, viewer, id)
  if (view === undefined)
    throw new Problem('not_found', { detail: `You have no view ${id} in this project.` })
  if (!view.can_change)
    throw new Problem('insufficient_role', {
      detail: `Only ${view.owner} and managers can change this view.`,
    })
  return view
}

async function rejectSameName(
  tx: Transaction,
  projectId: number,
  view: { id: number; userId: number; name: string; shared: boolean },
): Promise<void> {
  const same = await findSameName(tx, projectId, view)
  if (same === undefined) return
  throw new Problem('duplicate_name', {
    detail: same.isOwn ? 'You already have a view with this name.' : 'A shared view already has this name.',
    existing_id: same.id,
  })
}

async function rejectTooManyShared(tx: Transaction, viewer: Viewer): Promise<void> {
  if ((await countViews(tx, viewer)).shared >= savedViewLimits.sharedViews)
    throw new Problem('too_many_shared_views')
}
