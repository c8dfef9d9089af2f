import type { Cell } from '../rows/cells.ts'

/** A column in Vendure's format: `name`, `name:en`, `product:keywords`, `variant:label:en`. */
export type VendureColumn = { name: string; field: string; owner: Owner; language: string | undefined }
export type Owner = 'product' | 'variant'

const productFields = ['name', 'slug', 'description', 'assets', 'facets', 'optionGroups', 'enabled']
const variantFields = [
  'optionValues',
  'sku',
  'price',
  'taxCategory',
  'stockOnHand',
  'trackInventory',
  'variantAssets',
  'variantFacets',
]

/** Returns undefined for a column that is not part of Vendure's format. */
export function vendureColumn(name: string): VendureColumn | undefined {
  const [first = '', second, third] = name.split(':')
  if ((first === 'product' || first === 'variant') && second)
    return { name, field: second, owner: first, language: third }
  const owner = productFields.includes(first) ? 'product' : 'variant'
  if (owner === 'variant' && !variantFields.includes(first)) return undefined
  return { name, field: first, owner, language: second }
}

export function isCustom({ name }: VendureColumn): boolean {
  return /^(product|variant):/.test(name)
}

/** The columns of one field, the preferred language first. */
export function columnsOf(
  columns: readonly VendureColumn[],
  locale: string | undefined,
): Map<string, VendureColumn[]> {
  const preferred = ({ language }: VendureColumn) => language !== undefined && language === locale
  const ordered = [...columns.filter(preferred), ...columns.filter((one) => !preferred(one))]
  return Map.groupBy(ordered, (one) => fieldKey(one))
}

function fieldKey(column: VendureColumn): string {
  return isCustom(column) ? `${column.owner}:${column.field}` : column.field
}

/** The first nonempty column of a field. */
export function filledColumn(
  some: readonly VendureColumn[] | undefined,
  cell: Cell,
): VendureColumn | undefined {
  return some?.find(({ name }) => cell(name) !== '')
}
