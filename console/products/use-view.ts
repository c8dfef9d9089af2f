import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  changedSearch,
  clearedSearch,
  readSearch,
  type View,
  type ViewChange,
  type ViewSearch,
  viewOf,
} from './view.ts'

export type ViewState = {
  project: number
  view: View
  /** Navigates to the changed view. `replace` adds no history entry. */
  change: (change: ViewChange, replace?: boolean) => void
  /** Removes all filters and keeps order and columns. */
  clear: () => void
}

/** The view in the URL. */
export function useView(): ViewState {
  const { projectId: project } = useParams({ from: '/signed-in/projects/$projectId/products' })
  const search = useSearch({ from: '/signed-in/projects/$projectId/products' })
  const navigate = useNavigate()
  return useMemo(() => {
    // Based on the current URL: a delayed search knows only an older one.
    const go = (next: (now: ViewSearch) => ViewSearch, replace: boolean, isOtherPage = false) =>
      void navigate({
        to: '/projects/$projectId/products',
        params: { projectId: project },
        search: (now) => next(readSearch(now)),
        replace,
        // Keeps the scroll position, except for another page of rows.
        resetScroll: isOtherPage,
      })
    return {
      project,
      view: viewOf(search),
      change: (change, replace = false) => go((now) => changedSearch(now, change), replace, 'page' in change),
      clear: () => go(clearedSearch, false),
    }
  }, [project, search, navigate])
}
