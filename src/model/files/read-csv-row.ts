import { attributePrefix } from './csv-columns.ts'
import { csvHeader } from './product-csv.ts'
import { columnOf, type FileColumn, fieldOfColumn, isViewColumn, readColumn } from './view-columns.ts'

/**
 * Reads the header of a product file and returns the field of each column. Unknown columns are an error, so that no data is lost, or
 * become attributes on request. `errors` is the column of rejected rows.
 */
export function readProductHeader(
  cells: readonly string[],
  acceptsUnknown = false,
  views: readonly string[] = [],
): string[] {
  const known = new Set([...csvHeader([]), 'errors'])
  const isKnown = ({ name, view }: FileColumn) =>
    view === undefined ? known.has(name) || name.startsWith(attributePrefix) : isViewColumn(name)
  const columns = cells.map((cell) =>
    readColumn(cell.startsWith(attributePrefix) ? cell : cell.trim(), views),
  )
  const unknown = columns.filter((column) => !isKnown(column)).map((column) => columnOf(column, views))
  const header = columns.map((column) =>
    fieldOfColumn(isKnown(column) ? column : { ...column, name: attributePrefix + column.name }),
  )
  if (unknown.length > 0 && !acceptsUnknown)
    throw new Error(
      `${unknownColumns(unknown)}; the known columns are ${[...known].join(', ')}, ${attributePrefix}<name>${views.length === 0 ? '' : ', and <field>@<view> for fields that can differ in views'}. Rename or remove unknown columns, or import them as attributes with --rest attributes. For an export from another system, use --from or --map`,
    )
  const repeated = header.find((name, index) => header.indexOf(name) !== index)
  if (repeated !== undefined) throw new Error(`the column "${repeated}" appears twice`)
  if (!header.includes('sku')) throw new Error('the file needs a header row with the column sku')
  return header
}

/** Lists all of them, so that a user can fix the file in one pass. */
function unknownColumns(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`).join(', ')
  return `unknown ${names.length === 1 ? 'column' : 'columns'} ${quoted}`
}
