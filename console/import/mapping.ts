import { fieldOf } from '../../src/model/fields/product-fields.ts'
import { numberOf, switchOf } from '../../src/model/files/cell-values.ts'
import { figureColumns, pathColumn, switchColumns } from '../../src/model/files/csv-columns.ts'
import { rowJson } from '../../src/model/files/row-json.ts'
import type { FileRecord } from './file/records.ts'
import { attributeOf, attributesColumn, targetLabel, targets } from './targets.ts'

/** What each column becomes; nothing where it is empty. */
export type Mapping = readonly string[]

/** A cell as an export would write it, where people and other programs write it otherwise. */
function usualCell(target: string, cell: string): string {
  const text = cell.trim()
  if (figureColumns.includes(target)) return String(numberOf(text))
  if (switchColumns.includes(target)) return String(switchOf(text))
  const kind = fieldOf(target)?.kind
  if (kind === 'choice') return text.toLowerCase()
  if (kind === 'media' && !text.startsWith('[')) return text.replaceAll(/\s*[,;]\s*(?=https?:)/g, '|')
  // `Home > Lamps`: a slash is then part of a name.
  if (target === pathColumn && /[>›]/.test(text))
    return text.replaceAll('/', '\\/').replaceAll(/\s*[>›]\s*/g, '/')
  return text
}

/** A row as the service takes it. A record that the file has as JSON goes as it stands. */
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

/** What stands in the way of sending, by column; under -1 what no column can say. */
export function mappingFaults(mapping: Mapping, header: readonly string[]): Map<number, string> {
  const faults = new Map<number, string>()
  if (!mapping.includes('sku'))
    faults.set(-1, 'Say which column is the SKU: it tells which product a row is.')
  for (const [index, target] of mapping.entries()) {
    const other = mapping.findIndex((one, at) => one === target && at !== index)
    if (attributeOf(target)?.trim() === '') faults.set(index, 'Name the attribute.')
    else if (target !== '' && other >= 0)
      faults.set(index, `“${header[other]}” is ${targetLabel(target)}, too. Only one column can be.`)
  }
  return faults
}

/** The column whose cell is to be fixed for a fault of the field; nothing where no cell would do. */
export function targetOfField(field: string | undefined, mapping: Mapping): string | undefined {
  if (field === undefined) return undefined
  if (mapping.includes(field)) return field
  if (field === 'categories' && mapping.includes(pathColumn)) return pathColumn
  if (attributeOf(field) !== undefined) return mapping.includes(attributesColumn) ? attributesColumn : field
  return targets.includes(field) ? field : undefined
}

/** The cell of a record that becomes the target. */
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
