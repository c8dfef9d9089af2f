import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import { fieldsOfKind, isRequired, textsOfSize } from '../../../src/model/fields/product-fields.ts'
import { viewFields } from '../../../src/model/fields/view-paths.ts'
import { ownValue } from '../../parts/forms/own-value.ts'
import { columnLabels } from './column-strings.ts'

const lines = textsOfSize('line')

/** Labels that differ from the form, and columns that are not fields. */
const ownLabels: Record<string, string> = {
  inventory: columnLabels.stock,
  quality_score: columnLabels.score,
  updated_at: columnLabels.updated,
  created_at: columnLabels.created,
  media: columnLabels.images,
  id: columnLabels.id,
}

/** Columns by API field name, in the order of the dialog. An attribute is `attributes.<name>`. */
export const fieldColumns: readonly string[] = [
  ...fieldsOfKind('code'),
  ...lines.filter(isRequired),
  ...fieldsOfKind('choice'),
  ...fieldsOfKind('price'),
  'inventory',
  'quality_score',
  ...fieldsOfKind('categories'),
  'updated_at',
  'created_at',
  ...fieldsOfKind('media'),
  ...lines.filter((name) => !isRequired(name)),
  ...textsOfSize('paragraph'),
  'id',
]

export const defaultColumns = ['sku', 'name', 'status', 'price', 'inventory', 'quality_score', 'updated_at']
const maxColumns = 40
const prefix = 'attributes.'

export function attributeOf(column: string): string | undefined {
  return column.startsWith(prefix) && column.length > prefix.length ? column.slice(prefix.length) : undefined
}

export function attributeColumn(attribute: string): string {
  return prefix + attribute
}

export function isColumn(column: string): boolean {
  return fieldColumns.includes(column) || attributeOf(column) !== undefined
}

export function columnLabel(column: string): string {
  return attributeOf(column) ?? ownValue<string>(ownLabels, column) ?? fieldLabel(column)
}

/** The SKU is always first, and every column appears once. */
export function orderedColumns(columns: readonly string[]): string[] {
  return [...new Set(['sku', ...columns.filter(isColumn)])].slice(0, maxColumns)
}

/** Commas in attribute names are escaped. */
export function writeColumns(columns: readonly string[]): string {
  return columns.map((column) => column.replace(/[%,]/g, encodeURIComponent)).join(',')
}

export function readColumns(text: string): string[] {
  return text.split(',').map((part) => part.replace(/%(25|2C)/g, decodeURIComponent))
}

/** The export columns that correspond to a column of the list: of the base, and of a language or market. */
export function fileColumns(column: string, market: string | undefined): string[] {
  if (column === 'inventory') return ['inventory.quantity', 'inventory.reserved']
  if (column === 'categories') return ['category_paths']
  const [field = ''] = column.split('.', 1)
  const canDiffer = (viewFields as string[]).includes(field)
  return market !== undefined && canDiffer ? [column, `${column}@${market}`] : [column]
}
