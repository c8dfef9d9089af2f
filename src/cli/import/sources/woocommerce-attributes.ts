import { numberOf } from '../../../files/cell-values.ts'
import { type Cell, oneOrSeveral, splitList, withoutEntities } from '../cells.ts'
import type { Losses } from '../losses.ts'
import type { ProductLine } from '../row-lines.ts'

type Attributes = NonNullable<ProductLine['attributes']>

/** Columns that become an attribute of one value, or of several. */
const texts = { 'GTIN, UPC, EAN, or ISBN': 'gtin', 'External URL': 'external_url' }
const lists = { Tags: 'tags', Brands: 'brands' }
export const attributeColumns = new Set(Object.keys({ ...texts, ...lists, 'Sale price': '' }))
export const measure = /^(Weight|Length|Width|Height) \((.+)\)$/

/** Attribute 1, 2 and so on. A variation that stands for any value of an axis says so: every axis has a value. */
export function ownAttributes(cell: Cell, numbers: Set<string>, losses: Losses): Attributes {
  const isVariation = cell('Type').toLowerCase().includes('variation')
  const found = [...numbers].flatMap((number) => {
    const name = cell(`Attribute ${number} name`)
    const values = splitList(cell(`Attribute ${number} value(s)`), ',').map(withoutEntities)
    const value = oneOrSeveral(values) ?? (isVariation ? 'any' : undefined)
    return name === '' || value === undefined ? [] : [[name, value] as const]
  })
  if (new Set(found.map(([name]) => name)).size < found.length) losses.add('attributes that share a name')
  return Object.fromEntries(found)
}

/**
 * `Weight (kg)` becomes `weight_kg`, a number: so it can be compared, and nobody has to guess the unit. What is none stays text,
 * which is told.
 */
export function plainAttributes(cell: Cell, columns: Set<string>, losses: Losses): Attributes {
  const figure = (column: string) => {
    const value = numberOf(cell(column))
    if (typeof value === 'string' && value !== '') losses.add(`${column} that is not clearly a number`)
    return value
  }
  const measures = [...columns].filter((name) => measure.test(name))
  const units = measures.map((name) => [name.replace(measure, '$1_$2').toLowerCase(), figure(name)])
  const said = Object.entries(texts).map(([column, name]) => [name, cell(column)])
  const several = Object.entries(lists).map(([column, name]) => [
    name,
    oneOrSeveral(splitList(cell(column), ',').map(withoutEntities)) ?? '',
  ])
  const all = [...units, ['sale_price', figure('Sale price')], ...said, ...several]
  return Object.fromEntries(all.filter(([, value]) => value !== ''))
}
