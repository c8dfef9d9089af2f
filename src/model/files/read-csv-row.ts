import { attributePrefix } from './csv-columns.ts'
import { csvHeader } from './product-csv.ts'

/**
 * Reads the header of a product file. Unknown columns are an error, so that no data is lost, or become attributes on request.
 * `errors` is the column of rejected rows.
 */
export function readHeader(cells: readonly string[], isRestKept = false): string[] {
  const known = new Set([...csvHeader([]), 'errors'])
  const isKnown = (name: string) => known.has(name) || name.startsWith(attributePrefix)
  const trimmed = cells.map((cell) => (cell.startsWith(attributePrefix) ? cell : cell.trim()))
  const odd = trimmed.filter((name) => !isKnown(name))
  const header = trimmed.map((name) => (isKnown(name) ? name : attributePrefix + name))
  if (odd.length > 0 && !isRestKept)
    throw new Error(
      `${unknownColumns(odd)}; the known columns are ${[...known].join(', ')}, ${attributePrefix}<name>. Rename or remove unknown columns, or import them as attributes with --rest attributes. For an export from another system, use --from or --map`,
    )
  const twice = header.find((name, index) => header.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`the column "${twice}" appears twice`)
  if (!header.includes('sku')) throw new Error('the file needs a header row with the column sku')
  return header
}

/** Lists all of them, so that a user can fix the file in one pass. */
function unknownColumns(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`).join(', ')
  return `unknown ${names.length === 1 ? 'column' : 'columns'} ${quoted}`
}
