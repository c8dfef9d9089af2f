import type { AttributeDefinition } from '../../../model/attributes/attribute-definition.schema.ts'
import { parseNumberCell, parseSwitchCell } from '../../../model/files/cell-values.ts'
import { decimal, isCode } from '../../../model/files/csv-columns.ts'
import { isExact } from '../../../platform/http/body/json-scan.ts'

export const cellTypes = ['text', 'number', 'boolean'] as const
export type CellType = (typeof cellTypes)[number]
export type Scalar = string | number | boolean

/** The type of an attribute's values, if known. */
export type TypeOf = (attribute: string) => CellType | undefined

/** Names of attributes that contain codes, even if each code looks like a number. */
const codeName = /(^|[^a-z])(ean|gtin|upc|isbn|mpn|asin|jan|barcode|code|sku|zip)([^a-z]|$)/i

/** The type from the project's definitions, or else from the name. */
export function typesOf(definitions: readonly AttributeDefinition[]): TypeOf {
  const types = new Map(definitions.map(({ name, type }) => [name, type]))
  return (attribute) => {
    const type = types.get(attribute)
    if (type === undefined) return codeName.test(attribute) ? 'text' : undefined
    return type === 'number' || type === 'boolean' ? type : 'text'
  }
}

/** Without a type, guesses from the cell. A cell that does not fit its type stays text. */
export function scalarOf(cell: string, type?: CellType): Scalar {
  if (type === 'text') return cell
  if (type === 'number') return parseNumberCell(cell)
  if (type === 'boolean') return parseSwitchCell(cell)
  if (/^(true|false)$/i.test(cell)) return cell.toLowerCase() === 'true'
  return decimal.test(cell) && isExact(cell) && !isCode(cell) ? Number(cell) : cell
}
