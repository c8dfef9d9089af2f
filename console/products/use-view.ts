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
    // Of the address as it is then: a search that waits for a pause knows only an older one.
    const go = (next: (now: ViewSearch) => ViewSearch, replace: boolean, isOtherPage = false) =>
      void navigate({
        to: '/projects/$projectId/products',
        params: { projectId: project },
        search: (now) => next(readSearch(now)),
        replace,
        // The reader stays where they are: only another page of rows is read from its top.
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
