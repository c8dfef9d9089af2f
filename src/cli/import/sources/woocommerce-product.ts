import { numberOf } from '../../../files/cell-values.ts'
import { type Cell, categoryPaths, picturesOf, quantityOf, splitList } from '../cells.ts'
import type { Losses } from '../losses.ts'
import type { ProductLine } from '../row-lines.ts'

const fields = ['ID', 'Type', 'SKU', 'Name', 'Published', 'Short description', 'Description', 'Regular price']
const stock = ['In stock?', 'Stock', 'Low stock amount', 'Backorders allowed?']
const structure = ['Categories', 'Images', 'Parent', 'Grouped products', 'Upsells', 'Cross-sells']
export const takenColumns = new Set([...fields, ...stock, ...structure])

const statuses = new Map([
  ['1', 'active'],
  ['0', 'inactive'],
  ['-1', 'pending'],
  ['2', 'pending'],
])

/** The fields of a product. What the file has no column for is left as it is. */
export function productOf(cell: Cell, columns: Set<string>, losses: Losses): ProductLine {
  const kinds = splitList(cell('Type').toLowerCase(), ',')
  const type = productType(kinds, losses)
  const parent = kinds.includes('variation') ? cell('Parent') : ''
  if (kinds.includes('variation') && parent === '') losses.add('variations that name no parent')
  const sku = skuOf(cell, parent)
  const pictures = splitList(cell('Images'), ',').map((url) => ({ url }))
  return {
    ...(sku && { sku }),
    name: cell('Name'),
    product_type: type,
    ...(cell('Published') && { status: statuses.get(cell('Published')) ?? cell('Published') }),
    ...(columns.has('Description') && { description: withLineBreaks(cell('Description')) }),
    ...(columns.has('Short description') && { short_description: withLineBreaks(cell('Short description')) }),
    ...(cell('Regular price') && { price: numberOf(cell('Regular price')) }),
    ...(columns.has('Categories') && { categories: categoryPaths(cell('Categories'), ',', '>') }),
    ...(columns.has('Images') && { media: picturesOf(pictures, losses, undefined) }),
    ...(parent && { parent: referenceOf(parent) }),
    ...(type === 'grouped' && { components: referencesOf(cell('Grouped products')) }),
    ...linksOf(cell, columns),
    ...stockOf(cell, type, losses),
  }
}

function productType(kinds: string[], losses: Losses): string {
  if (kinds.includes('variable')) return 'configurable'
  if (kinds.includes('grouped')) return 'grouped'
  const known = ['simple', 'variation', 'external', 'virtual', 'downloadable']
  for (const kind of kinds) if (!known.includes(kind)) losses.add(`the type ${kind}`)
  return kinds.includes('virtual') || kinds.includes('downloadable') ? 'virtual' : 'simple'
}

/** A product without a SKU has one that is made of its id, so that a second import finds it. */
function skuOf(cell: Cell, parent: string): string | undefined {
  // A variation without a SKU of its own may show that of its parent.
  if (cell('SKU') !== '' && cell('SKU') !== parent) return cell('SKU')
  return cell('ID') === '' ? undefined : madeSku(cell('ID'))
}

function madeSku(id: string): string {
  return `woocommerce-${id}`
}

/** The export names a product by its SKU, or by `id:` and its id where it has none. */
function referenceOf(text: string): { sku: string } {
  return { sku: /^id:\d+$/.test(text) ? madeSku(text.slice(3)) : text }
}

function referencesOf(cell: string): { sku: string }[] {
  return splitList(cell, ',').map(referenceOf)
}

function linksOf(cell: Cell, columns: Set<string>): Pick<ProductLine, 'links'> {
  const links = {
    ...(columns.has('Upsells') && { upsell: referencesOf(cell('Upsells')) }),
    ...(columns.has('Cross-sells') && { cross_sell: referencesOf(cell('Cross-sells')) }),
  }
  return Object.keys(links).length > 0 ? { links } : {}
}

/** The stock of a product that is counted, or whether there is some where it is not. That of parents is computed. */
function stockOf(cell: Cell, type: string, losses: Losses): Pick<ProductLine, 'inventory'> {
  const stock = cell('Stock')
  if (type === 'configurable' || type === 'grouped') {
    if (stock !== '') losses.add('stock that is kept at the parent')
    return {}
  }
  const backorders = ['1', 'notify', 'yes'].includes(cell('Backorders allowed?'))
  if (stock !== '' && stock !== 'parent') {
    const low = cell('Low stock amount')
    const quantity = quantityOf(stock, backorders, losses)
    const threshold = low === '' ? {} : { low_stock_threshold: numberOf(low) }
    return { inventory: { tracked: true, quantity, backorders, ...threshold } }
  }
  if (cell('In stock?') === '0') return { inventory: { tracked: true, quantity: 0, backorders } }
  if (cell('In stock?') === 'backorder')
    return { inventory: { tracked: true, quantity: 0, backorders: true } }
  return cell('In stock?') === '' ? {} : { inventory: { tracked: false } }
}

/** The export writes the two characters \n for the end of a line, and a backslash more where a text has them. */
function withLineBreaks(text: string): string {
  return text.replace(/\\\\n|\\n/g, (found) => (found === '\\n' ? '\n' : '\\n'))
}
