import type { Cell } from '../rows/cells.ts'
import type { ProductLine } from '../rows/row-lines.ts'
import type { Tally } from '../rows/tally.ts'
import { buildSku, takeSku } from './build-sku.ts'
import { options } from './shopify-columns.ts'

/** The row of a variant, and what of it becomes attributes because it is kept. */
export type Variant = { cell: Cell; others: NonNullable<ProductLine['attributes']> }
export type Skus = { parent: string; variants: string[] }

/**
 * The parent is known by its handle, and so is a variant without a SKU, with the values of its options: a second import finds both.
 * Shopify lets several variants have one SKU; here the first of the file keeps it. `taken` has the SKUs of the file so far.
 */
export function makeSkus(head: Cell, variants: Variant[], taken: Set<string>, tally: Tally): Skus {
  const skus = variants.map(({ cell }) => makeSku(head, cell, taken, tally))
  return { parent: takeSku(buildSku([head('Handle')]), taken), variants: skus }
}

export function makeSku(head: Cell, cell: Cell, taken: Set<string>, tally: Tally): string {
  const own = plainText(cell('Variant SKU'))
  if (taken.has(own)) tally.change('Variant SKU', 'used by another product or variant; a SKU is generated')
  const isOwn = own !== '' && !taken.has(own)
  const named = optionsOf(cell).filter((value) => value !== '' && value !== onlyOption)
  return takeSku(isOwn ? own : buildSku([head('Handle'), ...named]), taken)
}

/** What Shopify calls the only variant of a product without options. */
export const onlyOption = 'Default Title'

/** Some values have an apostrophe before them, so that a spreadsheet takes them for text. */
export function plainText(cell: string): string {
  return cell.replace(/^'(?=[\d=+@-])/, '')
}

export function optionsOf(cell: Cell): string[] {
  return options.map((number) => cell(`Option${number} Value`))
}
