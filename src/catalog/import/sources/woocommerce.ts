import { cellOf } from '../rows/cells.ts'
import { otherColumns } from '../rows/other-columns.ts'
import { productLines, type Row, type RowLine, type RowReader } from '../rows/row-lines.ts'
import type { SourceContext } from '../rows/source-context.ts'
import { attributeColumns, measure, ownAttributes, plainAttributes } from './woocommerce-attributes.ts'
import { productOf, takenColumns } from './woocommerce-product.ts'

const required = ['Type', 'Name']
const numberedColumn = /^Attribute (\d+) (name|value\(s\)|global)$/

/** Default values in the export. */
const defaults = {
  'Allow customer reviews?': '1',
  'Is featured?': '0',
  'Visibility in catalog': 'visible',
  'Tax status': 'taxable',
  'Sold individually?': '0',
  Position: '0',
  'Attribute visible': '1',
}

const spellings = new Map(
  [...takenColumns, ...attributeColumns, ...Object.keys(defaults)].map((name) => [name.toLowerCase(), name]),
)

/** WooCommerce column names are case-insensitive. */
function spelledOut(name: string): string {
  const own = spellings.get(name.toLowerCase())
  return own ?? (/^attribute \d+ /i.test(name) ? `A${name.slice(1).toLowerCase()}` : name)
}

/** Reads a WooCommerce product export. Each variation is a row with its parent and a value for each axis. */
export function woocommerce(names: readonly string[], context: SourceContext): RowReader {
  const header = names.map((name) => spelledOut(name.trim()))
  const missing = required.filter((name) => !header.includes(name))
  if (missing.length > 0)
    throw new Error(
      `this is not a WooCommerce product export: these columns are missing: ${missing.join(', ')}; set your account language to English and export again`,
    )
  const isTaken = (name: string) =>
    takenColumns.has(name) || attributeColumns.has(name) || numberedColumn.test(name) || measure.test(name)
  const defaultOf = (name: string) => name.replace(/^Attribute \d+ /, 'Attribute ')
  const others = otherColumns(header, isTaken, { context, reason: 'not imported', defaults, defaultOf })
  const cellsOf = cellOf(header)
  const columns = new Set(header)
  // Sorted by number, which is the order of the axes, wherever the columns are.
  const numbers = new Set(
    header.flatMap((name) => numberedColumn.exec(name)?.[1] ?? []).sort((one, other) => +one - +other),
  )
  let parentBefore: string | undefined

  function take(row: Row): RowLine[] {
    context.tally.beginRow()
    const cell = cellsOf(row.cells)
    const own = ownAttributes(cell, numbers, context)
    const product = productOf(cell, columns, context)
    product.attributes = { ...others(row.cells), ...plainAttributes(cell, columns, context), ...own }
    const lines = productLines(product, [row])
    if (product.parent === undefined || product.parent.sku === parentBefore) return lines
    parentBefore = product.parent.sku
    // Only variations show which attributes of their parent are axes.
    const axes = { sku: product.parent.sku, variant_axes: Object.keys(own) }
    return [{ json: JSON.stringify(axes), rows: [row], step: 'axes' }, ...lines]
  }
  return { take, end: () => [] }
}
