import { useMemo } from 'react'
import type { ViewState } from '../use-view.ts'
import { defaultColumns, orderedColumns, writeColumns } from './column-names.ts'
import { useColumnChoice } from './stored-columns.ts'

export type Columns = {
  columns: string[]
  widths: Record<string, number>
  setWidth: (column: string, width: number) => void
  choose: (columns: string[]) => void
  reset: () => void
}

/** The columns in the URL, or else the user's last choice. A change is written to both. */
export function useColumns({ project, view, change }: ViewState): Columns {
  const [kept, keep] = useColumnChoice(project)
  const named = view.columns
  const columns = useMemo(
    () => (named === undefined ? kept.columns : orderedColumns(named)),
    [named, kept.columns],
  )
  return {
    columns,
    widths: kept.widths,
    setWidth: (column, width) => keep({ widths: { ...kept.widths, [column]: width } }),
    choose: (next) => {
      const ordered = orderedColumns(next)
      keep({ columns: ordered })
      change({ columns: writeColumns(ordered) }, true)
    },
    reset: () => {
      keep({ columns: [...defaultColumns], widths: {} })
      change({ columns: undefined }, true)
    },
  }
}
