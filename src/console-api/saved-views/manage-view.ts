import { lockUser } from '../../access/users/user.sql.ts'
import { savedViewLimits } from '../../model/limits/saved-views.ts'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { readView } from './read-view.ts'
import type { NewSavedView, SavedView, SavedViewChanges } from './saved-view.schema.ts'
import {
  deleteSavedViewRow,
  insertSavedView,
  listSavedViews,
  type Owner,
  updateSavedView,
} from './saved-view.sql.ts'

export function saveView(
  database: Writable,
  owner: Owner,
  { name, query }: NewSavedView,
): Promise<SavedView> {
  const view = { name, query: readView(query) }
  return database.transaction(async (tx) => {
    const views = await lockViews(tx, owner)
    rejectDuplicate(views, name)
    if (views.length >= savedViewLimits.views) throw new Problem('too_many_views')
    return insertSavedView(tx, owner, view)
  })
}

export function changeView(
  database: Writable,
  owner: Owner,
  id: number,
  { name, query }: SavedViewChanges,
): Promise<SavedView> {
  const changes = {
    ...(name !== undefined && { name }),
    ...(query !== undefined && { query: readView(query) }),
  }
  return database.transaction(async (tx) => {
    const views = await lockViews(tx, owner)
    rejectDuplicate(
      views.filter((view) => view.id !== id),
      name,
    )
    const changed = await updateSavedView(tx, owner, id, changes)
    if (changed === undefined) throw noView(id)
    return changed
  })
}

export function deleteView(database: Writable, owner: Owner, id: number): Promise<void> {
  return database.transaction(async (tx) => {
    if (!(await deleteSavedViewRow(tx, owner, id))) throw noView(id)
  })
}

/** Serializes the changes of a user, so that the limit is exact. */
async function lockViews(tx: Transaction, owner: Owner): Promise<SavedView[]> {
  await lockUser(tx, owner.userId)
  return listSavedViews(tx, owner)
}

function rejectDuplicate(views: readonly SavedView[], name: string | undefined): void {
  const same = views.find((view) => view.name === name)
  if (same === undefined) return
  throw new Problem('duplicate_name', {
    detail: 'You already have a view with this name.',
    existing_id: same.id,
  })
}

function noView(id: number): Problem {
  return new Problem('not_found', { detail: `You have no view ${id} in this project.` })
}
