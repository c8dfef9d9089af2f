import { cellOf } from '../cells.ts'
import type { Losses } from '../losses.ts'
import { otherColumns } from '../other-columns.ts'
import { productLines, type Row, type RowLine, type RowReader } from '../row-lines.ts'
import { attributeColumns, measure, ownAttributes, plainAttributes } from './woocommerce-attributes.ts'
import { productOf, takenColumns } from './woocommerce-product.ts'

const required = ['Type', 'Name']
/** There are no reviews here, and every variation says that it has none. */
const reviews = 'Allow customer reviews?'
const numberedColumn = /^Attribute (\d+) (name|value\(s\)|global)$/

/** What the export says of a product that nobody touched. */
const usual = {
  'Is featured?': '0',
  'Visibility in catalog': 'visible',
  'Tax status': 'taxable',
  'Sold individually?': '0',
  Position: '0',
  'Attribute visible': '1',
}

/** The product export of WooCommerce. A variation is a row of its own, which names its parent and has a value for each axis. */
export function woocommerce(names: readonly string[], losses: Losses, isRestKept: boolean): RowReader {
  const header = names.map((name) => name.trim())
  const missing = required.filter((name) => !header.includes(name))
  if (missing.length > 0)
    throw new Error(
      `this is no product export of WooCommerce: it has no column ${missing.join(', ')}; export it while your language there is English`,
    )
  const isTaken = (name: string) =>
    name === reviews ||
    takenColumns.has(name) ||
    attributeColumns.has(name) ||
    numberedColumn.test(name) ||
    measure.test(name)
  const kindOf = (name: string) => name.replace(/^(Attribute|Download) \d+ /, '$1 ')
  const others = otherColumns(header, isTaken, { isRestKept, losses, usual, kindOf })
  const cellsOf = cellOf(header)
  const columns = new Set(header)
  // In their own order, in which axes are told, wherever the columns stand.
  const numbers = new Set(
    header.flatMap((name) => numberedColumn.exec(name)?.[1] ?? []).sort((one, other) => +one - +other),
  )
  let parentBefore: string | undefined

  function take(row: Row): RowLine[] {
    const cell = cellsOf(row.cells)
    const own = ownAttributes(cell, numbers, losses)
    const product = productOf(cell, columns, losses)
    product.attributes = { ...others(row.cells), ...plainAttributes(cell, columns, losses), ...own }
    const lines = productLines(product, [row])
    if (product.parent === undefined || product.parent.sku === parentBefore) return lines
    parentBefore = product.parent.sku
    // Only variations tell which attributes of their parent are axes.
    const axes = { sku: product.parent.sku, variant_axes: Object.keys(own) }
    return [{ json: JSON.stringify(axes), rows: [row], step: 'axes' }, ...lines]
  }
  return { take, end: () => [] }
}
