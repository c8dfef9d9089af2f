import { parseNumberCell } from '../../../model/files/cell-values.ts'
import { requestLimits } from '../../../platform/limits/requests.ts'
import { type Cell, oneOrSeveral, picturesOf, quantityOf, splitList } from '../rows/cells.ts'
import type { ProductLine } from '../rows/row-lines.ts'
import type { SourceContext } from '../rows/source-context.ts'
import type { Tally } from '../rows/tally.ts'
import { options } from './shopify-columns.ts'
import { makeSku, onlyOption, optionsOf, plainText, type Skus, type Variant } from './shopify-skus.ts'

/** A product without options becomes one product. Shopify gives its only variant a fixed name. */
export function simpleOf(
  head: Cell,
  cells: Cell[],
  variants: Variant[],
  taken: Set<string>,
  context: SourceContext,
): ProductLine | undefined {
  const [only, ...more] = variants
  if (more.length > 0) return undefined
  const { cell, others } = only ?? { cell: head, others: {} }
  const isPlain = ['', onlyOption].includes(cell('Option1 Value'))
  if (!isPlain) return undefined
  context.tally.beginRow()
  for (const number of options)
    for (const column of [`Option${number} Name`, `Option${number} Value`])
      if (cell(column) !== '') context.tally.drop(column, 'the option of a product without options')
  const product = productOf(head, cells, context)
  const sku = makeSku(head, cell, taken, context.tally)
  if (!sku.startsWith(head('Handle'))) context.tally.drop('Handle', 'the product has a SKU')
  return {
    ...product,
    ...ownOf(cell, context.tally),
    sku,
    attributes: { ...product.attributes, ...others, ...attributesOf(cell, context.tally) },
  }
}

export function shopifyParent(head: Cell, cells: Cell[], sku: string, context: SourceContext): ProductLine {
  return { ...productOf(head, cells, context), sku, product_type: 'configurable', variant_axes: axesOf(head) }
}

export function shopifyVariant(
  head: Cell,
  { cell, others }: Variant,
  skus: Skus,
  index: number,
  context: SourceContext,
): ProductLine {
  context.tally.beginRow()
  const values = optionsOf(cell)
  const axes = axesOf(head).map((name, at) => [name, values[at] || '-'])
  const picture = { url: cell('Variant Image'), column: 'Variant Image' }
  const media = picturesOf(picture.url === '' ? [] : [picture], context)
  return {
    sku: skus.variants[index] as string,
    name: `${head('Title')} - ${values.filter(Boolean).join(' / ')}`.slice(0, requestLimits.nameCharacters),
    status: statusOf(head),
    media,
    ...ownOf(cell, context.tally),
    attributes: { ...others, ...attributesOf(cell, context.tally), ...Object.fromEntries(axes) },
    parent: { sku: skus.parent },
  }
}

function axesOf(head: Cell): string[] {
  const names = options.map((number) => head(`Option${number} Name`))
  return names.filter((name, at) => name !== '' || at === 0).map((name) => name || 'Option')
}

function productOf(head: Cell, cells: Cell[], context: SourceContext): ProductLine {
  const path = splitList(head('Product Category'), '>')
  const tags = oneOrSeveral(splitList(head('Tags'), ','))
  const isHidden = ['draft', 'archived', 'unlisted'].includes(head('Status').toLowerCase())
  if (isHidden && head('Published') !== '') context.tally.drop('Published', 'the same as the status')
  const pictures = cells
    .filter((cell) => cell('Image Src') !== '')
    .map((cell) => ({
      url: cell('Image Src'),
      column: 'Image Src',
      alt: cell('Image Alt Text'),
      at: Number(cell('Image Position')) || 0,
    }))
    .sort((one, other) => one.at - other.at)
  return {
    name: head('Title'),
    description: head('Body (HTML)'),
    status: statusOf(head),
    categories: path.length > 0 ? [{ path }] : [],
    media: picturesOf(pictures, context),
    attributes: {
      ...(head('Vendor') && { vendor: head('Vendor') }),
      ...(head('Type') && { type: head('Type') }),
      ...(tags !== undefined && { tags }),
    },
  }
}

/** An active product that is not published is inactive. */
function statusOf(head: Cell): string {
  const status = head('Status').toLowerCase()
  if (status === 'draft') return 'pending'
  if (status === 'archived') return 'archived'
  return status === 'unlisted' || head('Published').toLowerCase() === 'false' ? 'inactive' : 'active'
}

/** The fields of each variant. */
function ownOf(cell: Cell, tally: Tally): ProductLine {
  const shipping = cell('Variant Requires Shipping').toLowerCase()
  return {
    ...(shipping && { product_type: shipping === 'false' ? 'virtual' : 'simple' }),
    ...(cell('Variant Price') && { price: parseNumberCell(cell('Variant Price')) }),
    inventory: stockOf(cell, tally),
  }
}

function stockOf(cell: Cell, tally: Tally): Record<string, unknown> {
  if (cell('Variant Inventory Tracker') === '') {
    for (const column of ['Variant Inventory Qty', 'Variant Inventory Policy'])
      if (cell(column) !== '') tally.drop(column, 'stock that is not counted')
    return { tracked: false }
  }
  const backorders = ['continue', 'true'].includes(cell('Variant Inventory Policy').toLowerCase())
  const quantity = cell('Variant Inventory Qty')
  // Shops with several locations do not export a quantity here.
  return {
    tracked: true,
    backorders,
    ...(quantity !== '' && { quantity: quantityOf(quantity, backorders, tally, 'Variant Inventory Qty') }),
  }
}

function attributesOf(cell: Cell, tally: Tally): NonNullable<ProductLine['attributes']> {
  const compared = cell('Variant Compare At Price')
  const grams = parseNumberCell(cell('Variant Grams') || '0')
  if (grams === 0 && cell('Variant Grams') !== '') tally.drop('Variant Grams', 'no weight')
  if (cell('Variant Weight Unit') !== '') tally.drop('Variant Weight Unit', 'the weight is in grams')
  return {
    ...(compared && { compare_at_price: parseNumberCell(compared) }),
    ...(cell('Variant Barcode') && { barcode: plainText(cell('Variant Barcode')) }),
    ...(grams !== 0 && { weight_g: grams }),
  }
}
