/** Columns of the list by the names of the API's fields; an attribute is `attributes.<name>`. */
export const fieldColumns = {
  sku: 'SKU',
  name: 'Name',
  status: 'Status',
  product_type: 'Type',
  price: 'Price',
  inventory: 'Stock',
  quality_score: 'Score',
  categories: 'Categories',
  updated_at: 'Updated',
  created_at: 'Created',
  media: 'Images',
  id: 'ID',
} as const
export type FieldColumn = keyof typeof fieldColumns

export const defaultColumns = ['sku', 'name', 'status', 'price', 'inventory', 'quality_score', 'updated_at']
const mostColumns = 40
const prefix = 'attributes.'

export function attributeOf(column: string): string | undefined {
  return column.startsWith(prefix) && column.length > prefix.length ? column.slice(prefix.length) : undefined
}

export function attributeColumn(attribute: string): string {
  return prefix + attribute
}

export function isColumn(column: string): boolean {
  return Object.hasOwn(fieldColumns, column) || attributeOf(column) !== undefined
}

export function columnLabel(column: string): string {
  return attributeOf(column) ?? fieldColumns[column as FieldColumn] ?? column
}

/** The SKU comes first, whatever else is shown; every column is there once. */
export function orderedColumns(columns: readonly string[]): string[] {
  return [...new Set(['sku', ...columns.filter(isColumn)])].slice(0, mostColumns)
}

/** A comma within the name of an attribute is escaped. */
export function writeColumns(columns: readonly string[]): string {
  return columns.map((column) => column.replace(/[%,]/g, encodeURIComponent)).join(',')
}

export function readColumns(text: string): string[] {
  return text.split(',').map((part) => part.replace(/%(25|2C)/g, decodeURIComponent))
}

/** The columns of a file that hold what a column of the list shows. */
export function fileColumns(column: string): string[] {
  if (column === 'inventory') return ['inventory.quantity', 'inventory.reserved']
  return [column === 'categories' ? 'category_paths' : column]
}
