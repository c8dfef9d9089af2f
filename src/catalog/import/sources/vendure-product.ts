import { parseNumberCell, parseSwitchCell } from '../../../model/files/cell-values.ts'
import { productLimits } from '../../../model/limits/products.ts'
import { type Scalar, scalarOf } from '../rows/cell-types.ts'
import { type Cell, oneOrSeveral, picturesOf, quantityOf, splitList } from '../rows/cells.ts'
import type { ProductLine } from '../rows/row-lines.ts'
import type { SourceContext } from '../rows/source-context.ts'
import { filledColumn, isCustom, type Owner, type VendureColumn } from './vendure-columns.ts'

type Attributes = NonNullable<ProductLine['attributes']>
type Columns = Map<string, VendureColumn[]>

/** Reads the fields of a row in the first nonempty language. */
export type VendureRow = { text(field: string): string; columnOf(field: string): string; cell: Cell }

export function vendureRow(columns: Columns, cell: Cell): VendureRow {
  const columnOf = (field: string) => filledColumn(columns.get(field), cell)?.name ?? field
  return { cell, columnOf, text: (field) => cell(columnOf(field)) }
}

/** The part of a row that belongs to the product or to the variant. */
export function partOf(
  owner: Owner,
  row: VendureRow,
  columns: Columns,
  context: SourceContext,
): { line: ProductLine; attributes: Attributes } {
  const isProduct = owner === 'product'
  const facets = facetsOf(row.text(isProduct ? 'facets' : 'variantFacets'), context)
  const assets = isProduct ? 'assets' : 'variantAssets'
  const pictures = splitList(row.text(assets), '|').map((url) => ({ url, column: row.columnOf(assets) }))
  const media = picturesOf(pictures, context)
  return {
    line: {
      ...(media.length > 0 && { media }),
      ...(facets.categories.length > 0 && { categories: facets.categories }),
      ...(isProduct ? { description: row.text('description') } : soldAs(row, context)),
    },
    attributes: { ...facets.attributes, ...ownAttributes(owner, row, columns, context) },
  }
}

/** `category:Electronics|brand:Acme`: categories, and attributes for all others. */
function facetsOf(cell: string, { typeOf }: SourceContext) {
  const pairs = splitList(cell, '|').map((facet) => {
    const at = facet.indexOf(':')
    return at < 1 ? ['facets', facet] : [facet.slice(0, at).trim(), facet.slice(at + 1).trim()]
  }) as [string, string][]
  const isCategory = (name: string) => name.toLowerCase() === 'category'
  const categories = [...new Set(pairs.filter(([name]) => isCategory(name)).map(([, value]) => value))]
  const others = Map.groupBy(
    pairs.filter(([name, value]) => !isCategory(name) && value !== ''),
    ([name]) => name,
  )
  const attributes = [...others].map(([name, some]) => [
    name.slice(0, productLimits.attributeNameCharacters),
    oneOrSeveral([...new Set(some.map(([, value]) => scalarOf(value, typeOf(name) ?? 'text')))]),
  ])
  return {
    categories: categories.filter((name) => name !== '').map((name) => ({ name })),
    attributes: Object.fromEntries(attributes) as Attributes,
  }
}

/** Custom fields, the tax category and, if kept, other languages. */
function ownAttributes(owner: Owner, row: VendureRow, columns: Columns, context: SourceContext): Attributes {
  const { tally, keepsRest, typeOf } = context
  const found: [string, Scalar | Scalar[] | undefined][] = []
  for (const some of columns.values()) {
    const taken = filledColumn(some, row.cell)
    if (taken === undefined || taken.owner !== owner) continue
    const readValue = ({ name }: VendureColumn) =>
      oneOrSeveral(splitList(row.cell(name), '|').map((part) => scalarOf(part, typeOf(taken.field))))
    if (isCustom(taken)) found.push([taken.field, readValue(taken)])
    if (taken.field === 'taxCategory' && !isCustom(taken)) found.push(['tax_category', row.cell(taken.name)])
    for (const other of some) {
      if (other === taken || row.cell(other.name) === '') continue
      if (keepsRest)
        found.push([other.name.slice(0, productLimits.attributeNameCharacters), readValue(other)])
      else tally.drop(other.name, `another column provides ${taken.field}`)
    }
  }
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as Attributes
}

function soldAs(row: VendureRow, { tally }: SourceContext): ProductLine {
  const tracked = parseSwitchCell(row.text('trackInventory'))
  const stock = row.text('stockOnHand')
  if (typeof tracked === 'string' && tracked !== '')
    tally.drop(row.columnOf('trackInventory'), 'neither true nor false')
  const inventory = {
    ...(typeof tracked === 'boolean' && { tracked }),
    ...(stock !== '' && { quantity: quantityOf(stock, false, tally, row.columnOf('stockOnHand')) }),
  }
  return {
    ...(row.text('price') !== '' && { price: parseNumberCell(row.text('price')) }),
    ...(Object.keys(inventory).length > 0 && { inventory }),
  }
}
