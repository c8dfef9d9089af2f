import { attributePrefix } from '../../../model/files/csv-columns.ts'
import { type ExportedProduct, readColumns } from '../../../model/files/exported-product.ts'
import { csvHeader, csvRow, viewHeader, viewRow } from '../../../model/files/product-csv.ts'
import { columnOf, type FileColumn, isViewColumn, readColumn } from '../../../model/files/view-columns.ts'
import { type InputError, Problem } from '../../../platform/http/problems.ts'
import { suggestNames } from '../../../platform/http/request/suggest-names.ts'
import { fileLimits } from '../../limits.ts'

/** The requested columns of a CSV, in order. */
export type CsvSelection = {
  columns: string[]
  /** Whether it contains columns that a push rejects. */
  hasRead: boolean
  /** The views that it has columns of. */
  views: string[]
  row(product: ExportedProduct): string[]
}

/** Comma-separated names; `%2C` is a comma in an attribute name. */
export function parseColumns(text: string, views: readonly string[] = []): CsvSelection {
  const columns = text.split(',').map((name) => name.replace(/%(25|2C)/gi, decodeURIComponent))
  const parsed = columns.map((column) => readColumn(column, views))
  const errors = columnErrors(columns, parsed, views)
  if (errors.length > 0) throw new Problem('invalid_parameters', { errors })
  const chosen = [...new Set([undefined, ...parsed.map(({ view }) => view)])]
  const parts = chosen.map((view) => partOf(parsed, view))
  const cells = parts.flatMap(({ header }) => header)
  const places = columns.map((_, at) => cells.indexOf(columnOf(parsed[at] as FileColumn, views)))
  function partOf(all: readonly FileColumn[], view: string | undefined) {
    const attributes = all.flatMap(({ name, view: own }) =>
      own === view && name.startsWith(attributePrefix) ? [name.slice(attributePrefix.length)] : [],
    )
    const header = view === undefined ? csvHeader(attributes) : viewHeader(attributes)
    return {
      view,
      attributes,
      header: header.map((name) => columnOf(view === undefined ? { name } : { name, view }, views)),
    }
  }
  return {
    columns,
    hasRead: places.includes(-1),
    views: chosen.filter((view) => view !== undefined),
    row(product) {
      const values = parts.flatMap(({ view, attributes }) =>
        view === undefined ? csvRow(product, attributes) : viewRow(product.views?.[view], attributes),
      )
      const read: Record<string, unknown> = product.read ?? {}
      return places.map((place, at) => values[place] ?? String(read[columns[at] as string] ?? ''))
    },
  }
}

function columnErrors(columns: string[], parsed: FileColumn[], views: readonly string[]): InputError[] {
  const known = [...csvHeader([]), ...readColumns]
  const isAttribute = (name: string) =>
    name.startsWith(attributePrefix) && name.length > attributePrefix.length
  const isKnown = ({ name, view }: FileColumn) =>
    isAttribute(name) ||
    (view === undefined ? known.includes(name) : isViewColumn(name) && name !== attributePrefix)
  const unknown = columns.filter((_, at) => !isKnown(parsed[at] as FileColumn))
  const names = parsed.map((column) => columnOf(column, views))
  const repeated = columns.filter((_, at) => names.indexOf(names[at] as string) !== at)
  const messages = [
    ...unknown.map(
      (name) => `has an unknown column: ${JSON.stringify(name.slice(0, 100))}${suggestNames(name, known)}`,
    ),
    ...repeated.map((name) => `has ${JSON.stringify(name.slice(0, 100))} twice`),
    ...(columns.length > fileLimits.exportColumns
      ? [`has ${columns.length} columns; the maximum is ${fileLimits.exportColumns}`]
      : []),
  ]
  return messages.slice(0, 10).map((message) => ({ parameter: 'columns', code: 'invalid_value', message }))
}
