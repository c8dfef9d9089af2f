import { type AttributeValue, type Field, type FieldName, productFields } from '../product-fields.ts'
import type { ProductLine } from './product-export.sql.ts'

/*
 * A product as cells. Text that a spreadsheet would run as a formula has an apostrophe before it; in an attribute's cell,
 * text that would be read as another type is written as JSON. What was written is read back as it was.
 */

export const cells = new Map<string, Field['cell']>(
  Object.entries<Field>(productFields).map(([name, { cell }]) => [name, cell]),
)
/** A column for each field but the attributes, which have many. */
const fieldColumns = ['text', 'number', 'names', 'media', 'json'].flatMap((wanted) =>
  [...cells].filter(([, cell]) => cell === wanted).map(([name]) => name as FieldName),
)
/** Goes before the names of the categories, which do not tell two branches apart. */
export const pathColumn = 'category_paths'
const stockColumns = ['tracked', 'quantity', 'reserved', 'low_stock_threshold', 'backorders'] as const
export const attributePrefix = 'attributes.'
export const stockPrefix = 'inventory.'

export function csvHeader(attributeNames: readonly string[]): string[] {
  return [
    ...fieldColumns.flatMap((name) => (name === 'categories' ? [pathColumn, name] : [name])),
    ...stockColumns.map((name) => stockPrefix + name),
    // For those that have no column of their own.
    'attributes',
    ...attributeNames.map((name) => attributePrefix + name),
  ]
}

export function csvRow(product: ProductLine, attributeNames: readonly string[]): string[] {
  const attributes = new Map(Object.entries(product.attributes))
  const own = attributeNames.map((name) => {
    const value = attributes.get(name)
    attributes.delete(name)
    return value === undefined ? '' : attributeCell(value)
  })
  return [
    ...fieldColumns.flatMap((name) => {
      const cell = fieldCell(name, product[name])
      return name === 'categories' ? [guarded(joinPaths(product.categories)), cell] : [cell]
    }),
    ...stockColumns.map((name) => String(product.inventory[name] ?? '')),
    attributes.size === 0 ? '' : JSON.stringify(Object.fromEntries(attributes)),
    ...own,
  ]
}

function fieldCell(name: FieldName, value: unknown): string {
  if (value === null) return ''
  const cell = cells.get(name)
  if (cell === 'json') return JSON.stringify(value)
  if (cell === 'media') return mediaCell(value as ProductLine['media'])
  if (cell === 'names') return guarded(joinNames(value as ProductLine['categories']))
  return cell === 'number' ? String(value) : guarded(String(value))
}

function joinNames(categories: ProductLine['categories']): string {
  return categories.map(({ name }) => name.replace(/[\\|]/g, '\\$&')).join('|')
}

function joinPaths(categories: ProductLine['categories']): string {
  return categories.map(({ path }) => path.map((name) => name.replace(/[\\|/]/g, '\\$&')).join('/')).join('|')
}

/** Addresses between bars, as other shops write them, where nothing else is said of any. */
function mediaCell(media: ProductLine['media']): string {
  const isPlain = media.every(({ kind, alt, title }) => kind === 'image' && alt === null && title === null)
  if (!isPlain) return JSON.stringify(media)
  return media.map(({ url }) => url.replace(/[\\|]/g, '\\$&')).join('|')
}

const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

function guarded(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

export const word = /^(true|false|null)$/i
export const decimal = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i

function attributeCell(value: AttributeValue): string {
  if (Array.isArray(value)) return JSON.stringify(value)
  if (typeof value !== 'string') return String(value)
  const isMistakable = value === '' || word.test(value) || decimal.test(value) || /^["[]/.test(value)
  return isMistakable ? JSON.stringify(value) : guarded(value)
}
