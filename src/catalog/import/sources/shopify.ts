import { type Cell, cellOf } from '../rows/cells.ts'
import { otherColumns } from '../rows/other-columns.ts'
import { type ProductLine, productLines, type Row, type RowLine, type RowReader } from '../rows/row-lines.ts'
import type { SourceContext } from '../rows/source-context.ts'
import { groupedRows } from './grouped-rows.ts'
import { defaults, isProductColumn, isTaken, isVariantColumn, olderColumnName } from './shopify-columns.ts'
import { shopifyParent, shopifyVariant, simpleOf } from './shopify-product.ts'
import { makeSkus, type Variant } from './shopify-skus.ts'

/** Reads a Shopify product export. The rows of a handle are consecutive; the first one has the title. */
export function shopify(names: readonly string[], context: SourceContext): RowReader {
  const header = names.map(olderColumnName)
  if (!header.includes('Handle') || !header.includes('Title'))
    throw new Error(
      'this is not a Shopify product export: the columns Title and Handle (or "URL handle") are missing; export it as "CSV for Excel" or "Plain CSV"',
    )
  const kept = { context, reason: 'not imported', defaults }
  const productOthers = otherColumns(header, (name) => isTaken(name) || isVariantColumn(name), kept)
  const variantOthers = otherColumns(header, (name) => isTaken(name) || !isVariantColumn(name), kept)
  const cellsOf = cellOf(header)
  const taken = new Set<string>()
  const missing = Object.entries(columnsOf).filter(
    ([, names]) => !names.some((name) => header.includes(name)),
  )
  const withoutMissing = (product: ProductLine) => without(product, new Set(missing.map(([field]) => field)))

  /** Drops cells that are read only from another row. */
  function dropRepeated(cell: Cell): void {
    context.tally.beginRow()
    const isUnused = (name: string) => isProductColumn(name) || (!isVariant(cell) && isVariantColumn(name))
    for (const name of header)
      if (cell(name) !== '' && isUnused(name))
        context.tally.drop(name, 'read only from the first row of a product')
  }

  function shopifyLines(rows: [Row, ...Row[]]): RowLine[] {
    const [first] = rows
    const head = cellsOf(first.cells)
    if (head('Title') === '') return [withoutTitle(rows)]
    const cells = rows.map((row) => cellsOf(row.cells))
    for (const cell of cells.slice(1)) dropRepeated(cell)
    const variants = rows.flatMap((row) => {
      const cell = cellsOf(row.cells)
      context.tally.beginRow()
      return isVariant(cell) ? [{ cell, others: variantOthers(row.cells) }] : []
    })
    context.tally.beginRow()
    const [product, ...children] = productsOf(head, cells, variants, taken, context)
    const attributes = { ...productOthers(first.cells), ...product.attributes }
    return [{ ...product, attributes }, ...children].flatMap((one) => productLines(withoutMissing(one), rows))
  }
  return groupedRows((row) => cellsOf(row.cells)('Handle'), shopifyLines)
}

/** Fields that do not change if the file has none of their columns. */
const columnsOf = {
  description: ['Body (HTML)'],
  status: ['Status', 'Published'],
  categories: ['Product Category'],
  media: ['Image Src', 'Variant Image'],
  inventory: ['Variant Inventory Tracker'],
}

function without(product: ProductLine, fields: Set<string>): ProductLine {
  return Object.fromEntries(Object.entries(product).filter(([field]) => !fields.has(field)))
}

/** One product, or a parent and its variants. */
function productsOf(
  head: Cell,
  cells: Cell[],
  variants: Variant[],
  taken: Set<string>,
  context: SourceContext,
): [ProductLine, ...ProductLine[]] {
  const simple = simpleOf(head, cells, variants, taken, context)
  if (simple !== undefined) return [simple]
  const skus = makeSkus(head, variants, taken, context.tally)
  const children = variants.map((variant, index) => shopifyVariant(head, variant, skus, index, context))
  return [shopifyParent(head, cells, skus.parent, context), ...children]
}

/** Other rows contain only an additional image. */
function isVariant(cell: Cell): boolean {
  return ['Option1 Value', 'Variant SKU', 'Variant Price'].some((name) => cell(name) !== '')
}

function withoutTitle(rows: Row[]): RowLine {
  const message =
    'is missing: the first row of a handle needs a Title; sort the file by handle so that its rows are together'
  return { json: '{}', rows, error: { pointer: '/name', code: 'required', message } }
}
