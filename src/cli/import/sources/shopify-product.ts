import { numberOf } from '../../../files/cell-values.ts'
import { type Cell, oneOrSeveral, picturesOf, quantityOf, splitList } from '../cells.ts'
import type { Losses } from '../losses.ts'
import type { ProductLine } from '../row-lines.ts'
import { options } from './shopify-columns.ts'
import { makeSku, onlyOption, optionsOf, plainText, type Skus, type Variant } from './shopify-skus.ts'

const longestName = 255

/** A product without options is one product here; its only variant has the name that Shopify gives to such. */
export function simpleOf(
  head: Cell,
  cells: Cell[],
  variants: Variant[],
  taken: Set<string>,
  losses: Losses,
): ProductLine | undefined {
  const [only, ...more] = variants
  if (more.length > 0) return undefined
  const { cell, others } = only ?? { cell: head, others: {} }
  const isPlain = ['', onlyOption].includes(cell('Option1 Value'))
  if (!isPlain) return undefined
  const product = productOf(head, cells, losses)
  return {
    ...product,
    ...ownOf(cell, losses),
    sku: makeSku(head, cell, taken, losses),
    attributes: { ...product.attributes, ...others, ...attributesOf(cell) },
  }
}

export function parentOf(head: Cell, cells: Cell[], sku: string, losses: Losses): ProductLine {
  return { ...productOf(head, cells, losses), sku, product_type: 'configurable', variant_axes: axesOf(head) }
}

export function variantOf(
  head: Cell,
  { cell, others }: Variant,
  skus: Skus,
  index: number,
  losses: Losses,
): ProductLine {
  const values = optionsOf(cell)
  const axes = axesOf(head).map((name, at) => [name, values[at] || '-'])
  const media = picturesOf(
    cell('Variant Image') === '' ? [] : [{ url: cell('Variant Image') }],
    losses,
    undefined,
  )
  return {
    sku: skus.variants[index] as string,
    name: `${head('Title')} - ${values.filter(Boolean).join(' / ')}`.slice(0, longestName),
    status: statusOf(head),
    media,
    ...ownOf(cell, losses),
    attributes: { ...others, ...attributesOf(cell), ...Object.fromEntries(axes) },
    parent: { sku: skus.parent },
  }
}

function axesOf(head: Cell): string[] {
  const names = options.map((number) => head(`Option${number} Name`))
  return names.filter((name, at) => name !== '' || at === 0).map((name) => name || 'Option')
}

function productOf(head: Cell, cells: Cell[], losses: Losses): ProductLine {
  const path = splitList(head('Product Category'), '>')
  const tags = oneOrSeveral(splitList(head('Tags'), ','))
  const pictures = cells
    .filter((cell) => cell('Image Src') !== '')
    .map((cell) => ({
      url: cell('Image Src'),
      alt: cell('Image Alt Text'),
      at: Number(cell('Image Position')) || 0,
    }))
    .sort((one, other) => one.at - other.at)
  return {
    name: head('Title'),
    description: head('Body (HTML)'),
    status: statusOf(head),
    categories: path.length > 0 ? [{ path }] : [],
    media: picturesOf(pictures, losses, undefined),
    attributes: {
      ...(head('Vendor') && { vendor: head('Vendor') }),
      ...(head('Type') && { type: head('Type') }),
      ...(tags !== undefined && { tags }),
    },
  }
}

/** What is active and not published is kept from the shop. */
function statusOf(head: Cell): string {
  const status = head('Status').toLowerCase()
  if (status === 'draft') return 'pending'
  if (status === 'archived') return 'archived'
  return status === 'unlisted' || head('Published').toLowerCase() === 'false' ? 'inactive' : 'active'
}

/** What every variant has for itself. */
function ownOf(cell: Cell, losses: Losses): ProductLine {
  const shipping = cell('Variant Requires Shipping').toLowerCase()
  return {
    ...(shipping && { product_type: shipping === 'false' ? 'virtual' : 'simple' }),
    ...(cell('Variant Price') && { price: numberOf(cell('Variant Price')) }),
    inventory: stockOf(cell, losses),
  }
}

function stockOf(cell: Cell, losses: Losses): Record<string, unknown> {
  if (cell('Variant Inventory Tracker') === '') return { tracked: false }
  const backorders = ['continue', 'true'].includes(cell('Variant Inventory Policy').toLowerCase())
  const quantity = cell('Variant Inventory Qty')
  // A shop with several locations exports no quantity here.
  return {
    tracked: true,
    backorders,
    ...(quantity !== '' && { quantity: quantityOf(quantity, backorders, losses) }),
  }
}

function attributesOf(cell: Cell): NonNullable<ProductLine['attributes']> {
  const compared = cell('Variant Compare At Price')
  const grams = numberOf(cell('Variant Grams') || '0')
  return {
    ...(compared && { compare_at_price: numberOf(compared) }),
    ...(cell('Variant Barcode') && { barcode: plainText(cell('Variant Barcode')) }),
    ...(grams !== 0 && { weight_g: grams }),
  }
}
