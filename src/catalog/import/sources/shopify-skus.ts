import type { Cell } from '../rows/cells.ts'
import type { ProductLine } from '../rows/row-lines.ts'
import type { Tally } from '../rows/tally.ts'
import { buildSku, takeSku } from './build-sku.ts'
import { options } from './shopify-columns.ts'

/** The row of a variant, and its other columns as attributes. */
export type Variant = { cell: Cell; others: NonNullable<ProductLine['attributes']> }
export type Skus = { parent: string; variants: string[] }

/**
 * The handle identifies the parent, and with its option values a variant without a SKU, so that a second import finds both.
 * In Shopify, several variants can share a SKU; here, the first one keeps it. `taken` contains the SKUs so far.
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

/** Shopify's name for the only variant of a product without options. */
export const onlyOption = 'Default Title'

/** Some values start with an apostrophe, so that spreadsheets treat them as text. */
export function plainText(cell: string): string {
  return cell.replace(/^'(?=[\d=+@-])/, '')
}

export function optionsOf(cell: Cell): string[] {
  return options.map((number) => cell(`Option${number} Value`))
}
