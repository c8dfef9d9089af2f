import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { notifyWarning } from '../parts/notify.ts'
import { strings } from './strings.ts'

/** Single rows, or all products that match the filter. */
type StoredSelection = { filter: string; isAll: boolean; ids: number[] }

export type Selection = {
  isAll: boolean
  ids: ReadonlySet<number>
  has: (id: number) => boolean
  /** With `through`, all rows between this one and the last selected one. */
  toggle: (id: number, through?: boolean) => void
  togglePage: () => void
  selectAll: () => void
  clear: () => void
}

const maxRows = 500
const keyOf = (project: number) => `catalog-products-selection-${project}`

/** The selection belongs to one filter. It is stored for the browser tab, so that Back restores it. */
export function useSelection(project: number, filter: string, pageIds: number[]): Selection {
  const [stored, setStored] = useState<StoredSelection & { project: number }>(() => ({
    project,
    ...readStored(project),
  }))
  const last = useRef<number>(undefined)
  const fits = stored.project === project && stored.filter === filter
  const isAll = fits && stored.isAll
  const ids = useMemo(() => new Set(fits ? stored.ids : []), [fits, stored])
  const keep = useCallback(
    (next: Omit<StoredSelection, 'filter'>) => {
      if (next.ids.length > maxRows) return warnTooMany()
      setStored({ project, filter, ...next })
      try {
        sessionStorage.setItem(keyOf(project), JSON.stringify({ filter, ...next }))
      } catch {
        // Without browser storage, the selection lasts until the user leaves the page.
      }
    },
    [project, filter],
  )
  const chosen = isAll ? new Set(pageIds) : ids
  const set = (some: number[], isSelected: boolean) => {
    const others = [...chosen].filter((id) => !some.includes(id))
    keep({ isAll: false, ids: isSelected ? [...others, ...some] : others })
  }
  const toggle = (id: number, through = false) => {
    set(through ? between(pageIds, last.current ?? id, id) : [id], !chosen.has(id))
    last.current = id
  }
  return {
    isAll,
    ids,
    has: (id) => isAll || ids.has(id),
    toggle: useLatest(toggle),
    togglePage: () => set(pageIds, !pageIds.every((id) => chosen.has(id))),
    selectAll: () => keep({ isAll: true, ids: [] }),
    clear: () => keep({ isAll: false, ids: [] }),
  }
}

/** The query string of the selection. Single rows by ID; the row limit keeps it below the service's URL limit. */
export function selectedFilter({ isAll, ids }: Selection, filter: string): string {
  return isAll ? filter : `id__in=${[...ids].join(',')}`
}

/** A stable function that calls the latest callback, so that memoized rows do not render again. */
function useLatest<Given extends unknown[]>(act: (...given: Given) => void): (...given: Given) => void {
  const latest = useRef(act)
  useLayoutEffect(() => {
    latest.current = act
  })
  return useCallback((...given) => latest.current(...given), [])
}

function between(ids: number[], one: number, other: number): number[] {
  const places = [ids.indexOf(one), ids.indexOf(other)].filter((place) => place >= 0)
  return ids.slice(Math.min(...places), Math.max(...places) + 1)
}

function warnTooMany(): void {
  notifyWarning(strings.selection.tooMany(maxRows))
}

function readStored(project: number): StoredSelection {
  try {
    const { filter, isAll, ids } = JSON.parse(sessionStorage.getItem(keyOf(project)) ?? '{}')
    if (typeof filter === 'string' && Array.isArray(ids))
      return { filter, isAll: isAll === true, ids: ids.filter(Number.isSafeInteger).slice(0, maxRows) }
  } catch {
    // Unreadable storage counts as empty.
  }
  return { filter: '', isAll: false, ids: [] }
}
