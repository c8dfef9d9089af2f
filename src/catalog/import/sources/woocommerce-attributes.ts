import { parseNumberCell } from '../../../model/files/cell-values.ts'
import { scalarOf } from '../rows/cell-types.ts'
import { type Cell, oneOrSeveral, splitList, withoutEntities } from '../rows/cells.ts'
import type { ProductLine } from '../rows/row-lines.ts'
import type { SourceContext } from '../rows/source-context.ts'

type Attributes = NonNullable<ProductLine['attributes']>

/** Columns that become attributes with one or several values. */
const texts = {
  'GTIN, UPC, EAN, or ISBN': 'gtin',
  'External URL': 'external_url',
  'Date sale price starts': 'sale_price_from',
  'Date sale price ends': 'sale_price_to',
}
const lists = { Tags: 'tags', Brands: 'brands' }
export const attributeColumns = new Set(Object.keys({ ...texts, ...lists, 'Sale price': '' }))
export const measure = /^(Weight|Length|Width|Height) \((.+)\)$/

/** Attribute 1, 2 and so on. Every axis needs a value, so a variation for any value has the value `any`. */
export function ownAttributes(
  cell: Cell,
  numbers: Set<string>,
  { tally, typeOf }: SourceContext,
): Attributes {
  const isVariation = cell('Type').toLowerCase().includes('variation')
  const found = new Map<string, Attributes[string]>()
  for (const number of numbers) {
    const [nameColumn, valueColumn] = [`Attribute ${number} name`, `Attribute ${number} value(s)`]
    const globalColumn = `Attribute ${number} global`
    const name = cell(nameColumn)
    const values = splitList(cell(valueColumn), ',').map(withoutEntities)
    const read = values.map((value) => scalarOf(value, typeOf(name) ?? 'text'))
    const value = oneOrSeveral(read) ?? (isVariation ? 'any' : undefined)
    if (cell(globalColumn) !== '') tally.drop(globalColumn, 'global attribute setting')
    const isFound = name !== '' && value !== undefined && !found.has(name)
    if (isFound) found.set(name, value)
    else {
      const reason = found.has(name)
        ? 'another attribute has the same name'
        : 'a name or values without the other'
      for (const column of [nameColumn, valueColumn]) if (cell(column) !== '') tally.drop(column, reason)
    }
  }
  return Object.fromEntries(found)
}

/** `Weight (kg)` becomes the number `weight_kg`. Other values stay text. */
export function plainAttributes(cell: Cell, columns: Set<string>, { tally }: SourceContext): Attributes {
  const figure = (column: string) => {
    const value = parseNumberCell(cell(column))
    if (typeof value === 'string' && value !== '') tally.change(column, 'not clearly a number: stays text')
    return value
  }
  const list = (column: string) => {
    const values = splitList(cell(column), ',').map(withoutEntities)
    if (values.length === 0 && cell(column) !== '') tally.drop(column, 'only separators')
    return oneOrSeveral(values) ?? ''
  }
  const measures = [...columns].filter((name) => measure.test(name))
  const units = measures.map((name) => [name.replace(measure, '$1_$2').toLowerCase(), figure(name)])
  const said = Object.entries(texts).map(([column, name]) => [name, cell(column)])
  const several = Object.entries(lists).map(([column, name]) => [name, list(column)])
  const all = [...units, ['sale_price', figure('Sale price')], ...said, ...several]
  return Object.fromEntries(all.filter(([, value]) => value !== ''))
}
