import { fieldsOfKind, stockFieldsOfKind } from '../fields/product-fields.ts'

/* Names of the columns of a CSV of products, and how a cell is known for a word or a number. */

/** Goes before the names of the categories, which do not tell two branches apart. */
export const pathColumn = 'category_paths'
export const attributePrefix = 'attributes.'
export const stockPrefix = 'inventory.'
export const linkPrefix = 'links.'

/** Columns of numbers, and of true or false. */
export const figureColumns: readonly string[] = [...fieldsOfKind('price'), ...stockFieldsOfKind('count')]
export const switchColumns: readonly string[] = stockFieldsOfKind('switch')

export const word = /^(true|false|null)$/i
export const decimal = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i

/** So many digits are a code such as a GTIN, and no quantity. */
export function isCode(cell: string): boolean {
  return /^\d{12,}$/.test(cell)
}
