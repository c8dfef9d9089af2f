import { useState } from 'react'
import { defaultColumns, orderedColumns } from './column-names.ts'

export type ColumnChoice = { columns: string[]; widths: Record<string, number> }

const keyOf = (project: number) => `catalog-products-columns-${project}`
export const narrowest = 60
export const widest = 800

/** The user's columns and widths for this project, stored in this browser. */
export function useColumnChoice(project: number): [ColumnChoice, (choice: Partial<ColumnChoice>) => void] {
  const [kept, setKept] = useState(() => ({ project, choice: readChoice(project) }))
  const choice = kept.project === project ? kept.choice : readChoice(project)
  const change = (some: Partial<ColumnChoice>) => {
    const next = { ...choice, ...some }
    setKept({ project, choice: next })
    try {
      localStorage.setItem(keyOf(project), JSON.stringify(next))
    } catch {
      // Without browser storage, the choice lasts until the user leaves the page.
    }
  }
  return [choice, change]
}

/** Ignore stored values of an unexpected shape. */
function readChoice(project: number): ColumnChoice {
  try {
    const { columns, widths } = JSON.parse(localStorage.getItem(keyOf(project)) ?? '{}')
    return {
      columns: orderedColumns(
        Array.isArray(columns) ? columns.filter((column) => typeof column === 'string') : defaultColumns,
      ),
      widths: Object.fromEntries(
        Object.entries(widths ?? {}).filter(
          (entry): entry is [string, number] =>
            typeof entry[1] === 'number' && entry[1] >= narrowest && entry[1] <= widest,
        ),
      ),
    }
  } catch {
    return { columns: [...defaultColumns], widths: {} }
  }
}
