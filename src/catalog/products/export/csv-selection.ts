import { attributePrefix } from '../../../model/files/csv-columns.ts'
import { type ExportedProduct, readColumns } from '../../../model/files/exported-product.ts'
import { csvHeader, csvRow } from '../../../model/files/product-csv.ts'
import { type InputError, Problem } from '../../../platform/http/problems.ts'
import { suggestNames } from '../../../platform/http/request/suggest-names.ts'
import { fileLimits } from '../../limits.ts'

/** The requested columns of a CSV, in order. */
export type CsvSelection = {
  columns: string[]
  /** Whether it contains columns that a push rejects. */
  hasRead: boolean
  row(product: ExportedProduct): string[]
}

/** Comma-separated names; `%2C` is a comma in an attribute name. */
export function parseColumns(text: string): CsvSelection {
  const columns = text.split(',').map((name) => name.replace(/%(25|2C)/gi, decodeURIComponent))
  const errors = columnErrors(columns)
  if (errors.length > 0) throw new Problem('invalid_parameters', { errors })
  const attributes = columns.flatMap((name) =>
    name.startsWith(attributePrefix) ? [name.slice(attributePrefix.length)] : [],
  )
  const header = csvHeader(attributes)
  const places = columns.map((name) => header.indexOf(name))
  return {
    columns,
    hasRead: places.includes(-1),
    row(product) {
      const cells = csvRow(product, attributes)
      const read: Record<string, unknown> = product.read ?? {}
      return places.map((place, at) => cells[place] ?? String(read[columns[at] as string] ?? ''))
    },
  }
}

function columnErrors(columns: string[]): InputError[] {
  const known = [...csvHeader([]), ...readColumns]
  const isKnown = (name: string) =>
    known.includes(name) || (name.startsWith(attributePrefix) && name.length > attributePrefix.length)
  const unknown = columns.filter((name) => !isKnown(name))
  const repeated = columns.filter((name, at) => columns.indexOf(name) !== at)
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
