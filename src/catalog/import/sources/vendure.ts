import { parseSwitchCell } from '../../../model/files/cell-values.ts'
import { requestLimits } from '../../../platform/limits/requests.ts'
import { scalarOf } from '../rows/cell-types.ts'
import { cellOf, splitList } from '../rows/cells.ts'
import { otherColumns } from '../rows/other-columns.ts'
import { type ProductLine, productLines, type Row, type RowLine, type RowReader } from '../rows/row-lines.ts'
import type { SourceContext } from '../rows/source-context.ts'
import { buildSku, takeSku } from './build-sku.ts'
import { groupedRows } from './grouped-rows.ts'
import { columnsOf, vendureColumn } from './vendure-columns.ts'
import { partOf, type VendureRow, vendureRow } from './vendure-product.ts'

/** Reads Vendure's import format. A product has one row per variant; only the first one has the name. */
export function vendure(names: readonly string[], context: SourceContext): RowReader {
  const { tally } = context
  const header = names.map((name) => name.trim())
  const found = header.flatMap((name) => vendureColumn(name) ?? [])
  const columns = columnsOf(found, context.locale)
  const missing = ['name', 'sku', 'price'].filter((field) => !columns.has(field))
  if (missing.length > 0)
    throw new Error(`this is not a Vendure product file: these columns are missing: ${missing.join(', ')}`)
  const others = otherColumns(header, (name) => vendureColumn(name) !== undefined, {
    context,
    reason: 'not imported',
  })
  const cellsOf = cellOf(header)
  const rowOf = (row: Row) => vendureRow(columns, cellsOf(row.cells))

  const skus = new Set<string>()

  /** If rows share a SKU, the first one keeps it. */
  function skuOf(own: string, row: Row, parts: string[]): string {
    if (own === '') return own
    if (!skus.has(own)) return takeSku(own, skus)
    tally.change(rowOf(row).columnOf('sku'), 'used by another row; a SKU is generated')
    return takeSku(buildSku(parts), skus)
  }

  /** The variant of a row, with its values for the options of the product. */
  function vendureVariant(row: Row, groups: string[], isFirst: boolean) {
    tally.beginRow()
    const own = rowOf(row)
    if (!isFirst)
      for (const column of found)
        if (column.owner === 'product' && own.cell(column.name) !== '')
          tally.drop(column.name, 'read only from the first row of a product')
    const { line, attributes } = partOf('variant', own, columns, context)
    const values = splitList(own.text('optionValues'), '|')
    if (values.length > groups.length) tally.drop(own.columnOf('optionValues'), 'more values than options')
    const axes = groups.map((name, at) => [name, scalarOf(values[at] ?? '-', context.typeOf(name))])
    const all = { ...others(row.cells), ...attributes, ...Object.fromEntries(axes) }
    return {
      line: { ...line, sku: own.text('sku') },
      attributes: all,
      values: values.slice(0, groups.length),
    }
  }

  function vendureLines(rows: [Row, ...Row[]]): RowLine[] {
    const head = rowOf(rows[0])
    const groups = splitList(head.text('optionGroups'), '|')
    const variants = rows.map((row, at) => vendureVariant(row, groups, at === 0))
    const [only] = variants
    const slug = head.text('slug') || slugFrom(head.text('name'))
    for (const [at, variant] of variants.entries())
      variant.line.sku = skuOf(variant.line.sku, rows[at] ?? rows[0], [slug, ...variant.values])
    const { line, attributes } = partOf('product', head, columns, context)
    const product = { ...line, name: head.text('name'), ...statusOf(head) }
    if (only !== undefined && variants.length === 1 && groups.length === 0)
      return productLines(simpleOf(product, { ...attributes, ...slugOf(head) }, only), rows)
    const sku = takeSku(buildSku([slug]), skus)
    const parent = { ...product, sku, product_type: 'configurable', variant_axes: groups, attributes }
    const children = variants.map(({ line: own, attributes: said, values }) => ({
      ...own,
      name: [product.name, values.join(' / ')]
        .filter(Boolean)
        .join(' - ')
        .slice(0, requestLimits.nameCharacters),
      ...statusOf(head),
      attributes: said,
      parent: { sku },
    }))
    return [parent, ...children].flatMap((one) => productLines(one, rows))
  }

  // Products can share a name, so each row with a name starts a new product.
  return groupedRows((row) => {
    const name = rowOf(row).text('name')
    return name === '' ? '' : `${name}, line ${row.number}`
  }, vendureLines)
}

type Variant = { line: ProductLine; attributes: NonNullable<ProductLine['attributes']> }

/** A product without options is its only variant. */
function simpleOf(product: ProductLine, attributes: Variant['attributes'], only: Variant): ProductLine {
  const categories = [...(product.categories ?? []), ...(only.line.categories ?? [])]
  const media = [...(product.media ?? []), ...(only.line.media ?? [])]
  return {
    ...product,
    ...only.line,
    ...(categories.length > 0 && { categories }),
    ...(media.length > 0 && { media }),
    attributes: { ...attributes, ...only.attributes },
  }
}

function slugOf(head: VendureRow): { slug?: string } {
  return head.text('slug') === '' ? {} : { slug: head.text('slug') }
}

/** Builds the slug like Vendure does. */
function slugFrom(name: string): string {
  return name.toLowerCase().replace(/\s+/g, '-')
}

function statusOf(head: VendureRow): { status: string } {
  return { status: parseSwitchCell(head.text('enabled')) === false ? 'inactive' : 'active' }
}
