import { type ColumnDef, type RowData, tableFeatures, useTable } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import styles from './data-table.module.css'

const features = tableFeatures({})
export type Column<Row extends RowData> = ColumnDef<typeof features, Row> & {
  /** Right-aligned. */
  isNumber?: boolean
  /** Hidden where a table is too narrow for all columns. Cards show it. */
  isSecondary?: boolean
}

type Props<Row extends RowData> = {
  label: string
  columns: Column<Row>[]
  rows: Row[]
  rowId: (row: Row) => string
  /** Dimmed while the next page loads. */
  stale?: boolean
}

/** A table that becomes a list of cards on a narrow screen. The roles keep it a table for screen readers. */
export function DataTable<Row extends RowData>({ label, columns, rows, rowId, stale = false }: Props<Row>) {
  const table = useTable({ features, columns, data: rows, getRowId: rowId })
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: display: block takes the roles away on a narrow screen
    <table role="table" aria-label={label} aria-busy={stale} className={styles.table}>
      <thead role="rowgroup">
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} role="row">
            {group.headers.map((header) => (
              <th key={header.id} role="columnheader" scope="col" {...marks(header.column.columnDef)}>
                <table.FlexRender header={header} />
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody role="rowgroup">
        {table.getRowModel().rows.map((row) => (
          <tr key={row.id} role="row">
            {row.getAllCells().map((cell) => (
              <td
                key={cell.id}
                role="cell"
                data-label={headerText(cell.column.columnDef.header)}
                {...marks(cell.column.columnDef)}
              >
                <div>{contentOf(cell.column.columnDef.cell, cell.getContext())}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above
  )
}

/**
 * Called, not mounted as a component: pages create their columns at every render. New component types would replace
 * every button in the table and lose the focus.
 */
function contentOf<Context>(cell: unknown, context: Context): ReactNode {
  return typeof cell === 'function' ? cell(context) : String(cell ?? '')
}

function marks(column: object) {
  const { isNumber, isSecondary } = column as Pick<Column<never>, 'isNumber' | 'isSecondary'>
  return {
    'data-number': isNumber || undefined,
    'data-secondary': isSecondary || undefined,
  }
}

function headerText(header: unknown): string | undefined {
  return typeof header === 'string' ? header : undefined
}
