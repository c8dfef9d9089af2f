import { fileColumns, writeColumns } from './columns/column-names.ts'

/** The export URL. Without columns, the file contains all fields. */
export function exportAddress(
  project: number,
  filter: string,
  format: 'csv' | 'ndjson',
  { columns, market }: { columns?: readonly string[]; market?: string | undefined } = {},
): string {
  const own = new URLSearchParams({
    format,
    ...(columns && { columns: writeColumns(columns.flatMap((column) => fileColumns(column, market))) }),
    ...(columns === undefined && market !== undefined && { views: market }),
  })
  return `/console/api/projects/${project}/products/export?${filter === '' ? '' : `${filter}&`}${own}`
}
