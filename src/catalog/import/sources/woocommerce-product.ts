import { parseNumberCell } from '../../../model/files/cell-values.ts'
import { type Cell, picturesOf, quantityOf, splitCategoryPaths, splitList } from '../rows/cells.ts'
import type { ProductLine } from '../rows/row-lines.ts'
import type { SourceContext } from '../rows/source-context.ts'
import type { Tally } from '../rows/tally.ts'

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

/** The fields of a product. Fields without a column do not change. */
export function productOf(cell: Cell, columns: Set<string>, context: SourceContext): ProductLine {
  const { tally } = context
  const kinds = splitList(cell('Type').toLowerCase(), ',')
  const type = productType(kinds, tally)
  const parent = kinds.includes('variation') ? cell('Parent') : ''
  if (kinds.includes('variation') && parent === '')
    tally.change('Type', 'a variation without a parent: becomes a product of its own')
  dropUnused(cell, 'Parent', parent, tally)
  dropUnused(cell, 'Grouped products', type === 'grouped' ? cell('Grouped products') : '', tally)
  const sku = skuOf(cell, parent, tally)
  const pictures = splitList(cell('Images'), ',').map((url) => ({ url, column: 'Images' }))
  return {
    ...(sku && { sku }),
    name: cell('Name'),
    product_type: type,
    ...(cell('Published') && { status: statuses.get(cell('Published')) ?? cell('Published') }),
    ...(columns.has('Description') && { description: withLineBreaks(cell('Description')) }),
    ...(columns.has('Short description') && { short_description: withLineBreaks(cell('Short description')) }),
    ...(cell('Regular price') && { price: parseNumberCell(cell('Regular price')) }),
    ...(columns.has('Categories') && { categories: splitCategoryPaths(cell('Categories'), ',', '>') }),
    ...(columns.has('Images') && { media: picturesOf(pictures, context) }),
    ...(parent && { parent: referenceOf(parent) }),
    ...(type === 'grouped' && { components: referencesOf(cell('Grouped products')) }),
    ...linksOf(cell, columns),
    ...stockOf(cell, type, tally),
  }
}

function dropUnused(cell: Cell, column: string, used: string, tally: Tally): void {
  if (cell(column) !== used) tally.drop(column, 'only for products of another type')
}

function productType(kinds: string[], tally: Tally): string {
  if (kinds.includes('variable')) return 'configurable'
  if (kinds.includes('grouped')) return 'grouped'
  const known = ['simple', 'variation', 'external', 'virtual', 'downloadable']
  if (kinds.some((kind) => !known.includes(kind))) tally.change('Type', 'an unknown type: becomes simple')
  return kinds.includes('virtual') || kinds.includes('downloadable') ? 'virtual' : 'simple'
}

/** A product without a SKU gets one from its ID, so that a second import finds it. */
function skuOf(cell: Cell, parent: string, tally: Tally): string | undefined {
  // A variation without a SKU may repeat the SKU of its parent.
  const isOwn = cell('SKU') !== '' && cell('SKU') !== parent
  if (isOwn && cell('ID') !== '') tally.drop('ID', 'the product has a SKU')
  if (isOwn) return cell('SKU')
  if (cell('SKU') !== '') tally.drop('SKU', 'the SKU of the parent')
  return cell('ID') === '' ? undefined : buildSku(cell('ID'))
}

function buildSku(id: string): string {
  return `woocommerce-${id}`
}

/** The export references a product by its SKU, or by `id:` and its ID. */
function referenceOf(text: string): { sku: string } {
  return { sku: /^id:\d+$/.test(text) ? buildSku(text.slice(3)) : text }
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

/** The stock quantity, or whether the product is in stock. The stock of parents is computed. */
function stockOf(cell: Cell, type: string, tally: Tally): Pick<ProductLine, 'inventory'> {
  const drop = (reason: string, columns: readonly string[]) => {
    for (const column of columns) if (cell(column) !== '') tally.drop(column, reason)
  }
  if (type === 'configurable' || type === 'grouped') {
    drop('stock of a product with computed stock', stock)
    return {}
  }
  const quantity = cell('Stock')
  const backorders = ['1', 'notify', 'yes'].includes(cell('Backorders allowed?'))
  if (quantity !== '' && quantity !== 'parent') {
    const low = cell('Low stock amount')
    drop('the same as the quantity', ['In stock?'])
    const threshold = low === '' ? {} : { low_stock_threshold: parseNumberCell(low) }
    return {
      inventory: {
        tracked: true,
        quantity: quantityOf(quantity, backorders, tally, 'Stock'),
        backorders,
        ...threshold,
      },
    }
  }
  drop('the stock of the parent', ['Stock'])
  drop('stock that is not counted', ['Low stock amount'])
  if (cell('In stock?') === '0') return { inventory: { tracked: true, quantity: 0, backorders } }
  drop('stock that is not counted', ['Backorders allowed?'])
  if (cell('In stock?') === 'backorder')
    return { inventory: { tracked: true, quantity: 0, backorders: true } }
  return cell('In stock?') === '' ? {} : { inventory: { tracked: false } }
}

/** The export escapes a line break as the two characters \n, and adds a backslash to a literal \n. */
function withLineBreaks(text: string): string {
  return text.replace(/\\\\n|\\n/g, (found) => (found === '\\n' ? '\n' : '\\n'))
}
