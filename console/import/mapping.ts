import { fieldOf } from '../../src/model/fields/product-fields.ts'
import { parseNumberCell, parseSwitchCell } from '../../src/model/files/cell-values.ts'
import { figureColumns, pathColumn, switchColumns } from '../../src/model/files/csv-columns.ts'
import { rowJson } from '../../src/model/files/row-json.ts'
import type { FileRecord } from './file/records.ts'
import { strings } from './strings.ts'
import { attributeNameOf, attributesColumn, targetLabel, targets } from './targets.ts'

/** The field of each column. An empty string ignores the column. */
export type Mapping = readonly string[]

/** Normalizes a cell to the format of an export. */
function usualCell(target: string, cell: string): string {
  const text = cell.trim()
  if (figureColumns.includes(target)) return String(parseNumberCell(text))
  if (switchColumns.includes(target)) return String(parseSwitchCell(text))
  const kind = fieldOf(target)?.kind
  if (kind === 'choice') return text.toLowerCase()
  if (kind === 'media' && !text.startsWith('[')) return text.replaceAll(/\s*[,;]\s*(?=https?:)/g, '|')
  // `Home > Lamps`: a slash is part of a name here.
  if (target === pathColumn && /[>›]/.test(text))
    return text.replaceAll('/', '\\/').replaceAll(/\s*[>›]\s*/g, '/')
  return text
}

/** A row in the format of the API. A JSON record is sent unchanged. */
export function lineOf(mapping: Mapping | undefined, { cells, added = {} }: FileRecord): string {
  if (mapping === undefined) return cells[0] ?? ''
  const columns: [string, string][] = [
    ...mapping.map((target, index): [string, string] => [target, cells[index] ?? '']),
    ...Object.entries(added),
  ].filter(([target]) => target !== '')
  return rowJson(
    columns.map(([target]) => target),
    columns.map(([target, cell]) => usualCell(target, cell)),
  )
}

/** The mapping errors by column index; -1 for errors without a column. */
export function mappingErrors(mapping: Mapping, header: readonly string[]): Map<number, string> {
  const errors = new Map<number, string>()
  if (!mapping.includes('sku')) errors.set(-1, strings.mapping.noSku)
  for (const [index, target] of mapping.entries()) {
    const other = mapping.findIndex((one, at) => one === target && at !== index)
    if (attributeNameOf(target)?.trim() === '') errors.set(index, strings.mapping.noAttributeName)
    else if (target !== '' && other >= 0)
      errors.set(index, strings.mapping.duplicate(header[other] ?? '', targetLabel(target)))
  }
  return errors
}

/** The target whose cell fixes an error of the field, if any. */
export function targetOfField(field: string | undefined, mapping: Mapping): string | undefined {
  if (field === undefined) return undefined
  if (mapping.includes(field)) return field
  if (field === 'categories' && mapping.includes(pathColumn)) return pathColumn
  if (attributeNameOf(field) !== undefined)
    return mapping.includes(attributesColumn) ? attributesColumn : field
  return targets.includes(field) ? field : undefined
}

/** The cell of a record that is mapped to the target. */
export function cellAt(target: string, mapping: Mapping, { cells, added = {} }: FileRecord): string {
  const index = mapping.indexOf(target)
  return (index < 0 ? added[target] : cells[index]) ?? ''
}

export function withCells(record: FileRecord, mapping: Mapping, fixed: Record<string, string>): FileRecord {
  const cells = [...record.cells]
  const added = { ...record.added }
  for (const [target, cell] of Object.entries(fixed)) {
    const index = mapping.indexOf(target)
    if (index < 0) added[target] = cell
    else cells[index] = cell
  }
  return { ...record, cells, ...(Object.keys(added).length > 0 && { added }) }
}
