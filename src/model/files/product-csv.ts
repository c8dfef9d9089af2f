import type { AttributeValue } from '../fields/attributes.schema.ts'
import type { Field, Kind } from '../fields/field.ts'
import { type FieldName, fieldsOfKind, productFields } from '../fields/product-fields.ts'
import { stockFields } from '../fields/stock-fields.ts'
import { viewFields } from '../fields/view-paths.ts'
import { linkKinds } from '../structure/link-kinds.ts'
import { escaped, guarded } from './cell-text.ts'
import { componentsCell } from './component-cell.ts'
import { attributePrefix, decimal, isCode, pathColumn, stockPrefix, word } from './csv-columns.ts'
import type { ExportedProduct, ExportedView } from './exported-product.ts'
import { quoteNull } from './view-columns.ts'

/*
 * Writes a product as cells that read back unchanged. Text that a spreadsheet would run as a formula gets an apostrophe. Attribute
 * text that would be read as another type is written as JSON.
 */

/** All kinds except attributes, whose columns differ from file to file. */
const columnKinds: Kind[][] = [
  ['code', 'text', 'choice'],
  ['price'],
  ['categories'],
  ['media'],
  ['product'],
  ['names'],
  ['components'],
  ['links'],
]
const columnNames: FieldName[] = columnKinds.flatMap((kinds) => fieldsOfKind(...kinds))
const viewColumns = columnNames.filter((name) => viewFields.includes(name))
const stockColumns = Object.keys(stockFields) as (keyof typeof stockFields)[]

export function csvHeader(attributeNames: readonly string[]): string[] {
  return [
    ...columnNames.flatMap(columnsOf),
    ...stockColumns.map((name) => stockPrefix + name),
    // For attributes that have no column.
    'attributes',
    ...attributeNames.map((name) => attributePrefix + name),
  ]
}

function columnsOf(name: FieldName): string[] {
  const { kind, parts = {} }: Field = productFields[name]
  if (kind === 'categories') return [pathColumn, name]
  return kind === 'links' ? Object.keys(parts).map((part) => `${name}.${part}`) : [name]
}

export function csvRow(product: ExportedProduct, attributeNames: readonly string[]): string[] {
  return [
    ...columnNames.flatMap((name) => fieldCells(name, product[name])),
    ...stockColumns.map((name) => String(product.inventory[name] ?? '')),
    ...attributeCells(product.attributes, attributeNames),
  ]
}

/** The columns of a view. */
export function viewHeader(attributeNames: readonly string[]): string[] {
  return [...viewColumns, 'attributes', ...attributeNames.map((name) => attributePrefix + name)]
}

/** The cells of a view. A field that falls back is empty. */
export function viewRow(values: ExportedView = {}, attributeNames: readonly string[]): string[] {
  return [
    ...viewColumns.map((name) => viewCell(name, values[name as keyof ExportedView])),
    ...attributeCells(values.attributes ?? {}, attributeNames),
  ]
}

function viewCell(name: FieldName, value: unknown): string {
  if (value === undefined) return ''
  return fieldCells(name, typeof value === 'string' ? quoteNull(value) : value)[0] as string
}

/** The attributes without a column as one cell, then those with a column. */
function attributeCells(all: ExportedProduct['attributes'], names: readonly string[]): string[] {
  const attributes = new Map(Object.entries(all))
  const own = names.map((name) => {
    const value = attributes.get(name)
    attributes.delete(name)
    return value === undefined ? '' : attributeCell(value)
  })
  return [attributes.size === 0 ? '' : JSON.stringify(Object.fromEntries(attributes)), ...own]
}

/** One cell per column of the field. */
function fieldCells(name: FieldName, value: unknown): string[] {
  if (value === null) return ['']
  switch (productFields[name].kind) {
    case 'price':
      return [String(value)]
    case 'categories':
      return categoryCells(value as ExportedProduct['categories'])
    case 'media':
      return [mediaCell(value as ExportedProduct['media'])]
    case 'product':
      return [guarded((value as { sku: string }).sku)]
    case 'names':
      return [joinTexts(value as string[])]
    case 'components':
      return [guarded(componentsCell(value as ExportedProduct['components']))]
    case 'links':
      return linkCells(value as ExportedProduct['links'])
    default:
      return [guarded(String(value))]
  }
}

function categoryCells(categories: ExportedProduct['categories']): string[] {
  const paths = categories.map(({ path }) => path.map((name) => escaped(name, '|/')).join('/'))
  return [guarded(paths.join('|')), joinTexts(categories.map(({ name }) => name))]
}

function linkCells(links: ExportedProduct['links']): string[] {
  return linkKinds.map((kind) => joinTexts((links[kind] ?? []).map(({ sku }) => sku)))
}

function joinTexts(texts: readonly string[]): string {
  return guarded(texts.map((text) => escaped(text, '|')).join('|'))
}

/** URLs and asset IDs between bars, as other systems write them, if all items are assets or images and have no texts. */
function mediaCell(media: ExportedProduct['media']): string {
  const isPlain = media.every(
    (item) => ('asset' in item || item.kind === 'image') && item.alt === null && item.title === null,
  )
  if (!isPlain) return JSON.stringify(media)
  return joinTexts(media.map((item) => ('url' in item ? item.url : item.asset)))
}

function attributeCell(value: AttributeValue): string {
  if (Array.isArray(value)) return JSON.stringify(value)
  // A number with as many digits as a code needs a mark that it is a number.
  if (typeof value !== 'string') return isCode(String(value)) ? `${value}.0` : String(value)
  const isMistakable = value === '' || word.test(value) || decimal.test(value) || /^["[]/.test(value)
  return isMistakable ? JSON.stringify(value) : guarded(value)
}
