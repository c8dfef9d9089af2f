import type { ReactNode } from 'react'
import type { Editing } from '../model/edits.ts'
import type { Layout } from '../model/layout.ts'
import type { Sheet } from '../use-sheet.ts'

export type GridColumn = { key: string; label: string; width: number; isNumber: boolean }

type Titles = { header: string; width: number; of: (row: number) => string }

export type GridProps = {
  label: string
  layout: Layout
  columns: readonly GridColumn[]
  editing: Editing
  sheet: Sheet
  /** A column of titles, for a layout without identifying cells. Otherwise, the first column stays visible. */
  titles?: Titles | undefined
  /** Instead of a cell without a product. */
  emptyCell?: (row: number, column: number) => ReactNode
  isBusy?: boolean
}

export type VisibleColumn = { index: number; start: number; size: number }
