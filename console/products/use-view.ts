import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { changedSearch, clearedSearch, type View, type ViewChange, viewOf } from './view.ts'

export type ViewState = {
  project: number
  view: View
  /** Goes to the changed view; `replace` leaves no step to come back to. */
  change: (change: ViewChange, replace?: boolean) => void
  /** Goes to all products, in the same order and columns. */
  clear: () => void
}

/** The view that the address holds. */
export function useView(): ViewState {
  const { projectId: project } = useParams({ from: '/signed-in/projects/$projectId/products' })
  const search = useSearch({ from: '/signed-in/projects/$projectId/products' })
  const navigate = useNavigate()
  return useMemo(() => {
    const go = (next: Record<string, string>, replace: boolean, isOtherPage = false) =>
      void navigate({
        to: '/projects/$projectId/products',
        params: { projectId: project },
        search: next,
        replace,
        // The reader stays where they are: only another page of rows is read from its top.
        resetScroll: isOtherPage,
      })
    return {
      project,
      view: viewOf(search),
      change: (change, replace = false) => go(changedSearch(search, change), replace, 'page' in change),
      clear: () => go(clearedSearch(search), false),
    }
  }, [project, search, navigate])
}
