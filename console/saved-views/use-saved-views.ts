import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { notifyError, notifySuccess } from '../parts/notify.ts'
import type { SavedView } from '../wire.ts'
import { changeView, deleteView, saveView } from './changes.ts'
import { savedViewsQuery } from './queries.ts'
import { strings } from './strings.ts'
import { currentView, searchOf, storedQuery } from './view-search.ts'

export type SavedViews = ReturnType<typeof useSavedViews>

/** The saved views, the current one, and the actions on them. */
export function useSavedViews(project: number, columns: readonly string[]) {
  const search = useSearch({ from: '/signed-in/projects/$projectId/products' })
  const navigate = useNavigate()
  const queries = useQueryClient()
  const query = useQuery(savedViewsQuery(project))
  const current = currentView(query.data ?? [], search)
  // Also after an error, because another tab can have deleted the view.
  const refresh = () => queries.invalidateQueries({ queryKey: savedViewsQuery(project).queryKey })
  const show = (view: SavedView) =>
    navigate({
      to: '/projects/$projectId/products',
      params: { projectId: project },
      search: searchOf(view),
      replace: true,
      resetScroll: false,
    })
  const update = useMutation({
    mutationFn: (view: SavedView) => changeView(project, view.id, { query: storedQuery(search, columns) }),
    onSuccess: async (view) => {
      await refresh()
      await show(view)
      notifySuccess(strings.save.updated(view.name))
    },
    onError: (error) => {
      notifyError(error)
      void refresh()
    },
  })
  return {
    ...{ project, current, update },
    save: async (given: { name: string; shared: boolean }) => {
      const view = await saveView(project, { ...given, query: storedQuery(search, columns) })
      await refresh()
      await show(view)
    },
    edit: async ({ id }: SavedView, given: { name: string; shared: boolean }) => {
      await changeView(project, id, given).finally(refresh)
    },
    remove: async ({ id, name }: SavedView) => {
      await deleteView(project, id).finally(refresh)
      notifySuccess(strings.delete.deleted(name))
    },
  }
}
