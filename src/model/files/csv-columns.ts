import { fieldsOfKind } from '../fields/product-fields.ts'
import { stockFieldsOfKind } from '../fields/stock-fields.ts'

/* The columns of a product CSV, and how words and numbers in cells are recognized. */

/** Takes precedence over category names, which are not unique across branches. */
export const pathColumn = 'category_paths'
export const attributePrefix = 'attributes.'
export const stockPrefix = 'inventory.'
export const linkPrefix = 'links.'

/** Columns with numbers, and columns with booleans. */
export const figureColumns: readonly string[] = [...fieldsOfKind('price'), ...stockFieldsOfKind('count')]
export const switchColumns: readonly string[] = stockFieldsOfKind('switch')

export const word = /^(true|false|null)$/i
export const decimal = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i

/** 12 or more digits are a code such as a GTIN, not a quantity. */
export function isCode(cell: string): boolean {
  return /^\d{12,}$/.test(cell)
}
