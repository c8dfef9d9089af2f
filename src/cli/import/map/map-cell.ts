import { numberOf, switchOf } from '../../../files/cell-values.ts'
import { categoryPaths, oneOrSeveral, quantityOf, scalarOf, splitList } from '../cells.ts'
import type { Losses } from '../losses.ts'
import type { ProductLine } from '../row-lines.ts'
import { figureFields, type Rule, switchFields, textFields } from './map.schema.ts'
import { bundleOf, pairsOf, quantitiesOf } from './map-forms.ts'

/** What the cells of a row say; pictures and the like may stand in several of them. */
export type Draft = ProductLine & {
  attributes: NonNullable<ProductLine['attributes']>
  inventory: Record<string, unknown>
  pictures: { url: string }[]
}

/** Adds what a cell says to a product. Where several columns are one field, the first that is filled is taken. */
export function addCell(product: Draft, rule: Rule, cell: string, losses: Losses): void {
  const { field, split, path, unit, values, form } = rule
  const translated = translate(cell, values)
  const parts = split === undefined ? [cell] : splitList(cell, split)
  const skus = parts.map((sku) => ({ sku }))
  if (field.startsWith('attributes.')) {
    const name = `${field.slice('attributes.'.length)}${unit === undefined ? '' : `_${unit}`}`
    const value = values === undefined ? oneOrSeveral(parts.map(scalarOf)) : translated
    if (value !== undefined) product.attributes[name] ??= value
  } else if (field === 'attributes') Object.assign(product.attributes, pairsOf(cell))
  else if (textFields.has(field))
    Object.assign(product, { [field]: product[field as 'name'] ?? String(translated) })
  else if (field === 'price') product.price ??= numberOf(String(translated))
  else if (figureFields.has(field)) product.inventory[stockName(field)] ??= numberOf(String(translated))
  else if (switchFields.has(field)) product.inventory[stockName(field)] ??= switchOf(String(translated))
  else if (field === 'categories')
    product.categories = [
      ...(product.categories ?? []),
      ...(path === undefined ? parts.map((name) => ({ name })) : categoryPaths(cell, split ?? '\0', path)),
    ]
  else if (field === 'media') product.pictures.push(...parts.map((url) => ({ url })))
  else if (field === 'parent') product.parent ??= { sku: cell }
  else if (field === 'variant_axes') product.variant_axes ??= parts
  else if (field === 'components')
    product.components ??=
      form === 'bundle' ? bundleOf(cell, losses) : form === 'quantities' ? quantitiesOf(cell) : skus
  else if (field.startsWith('links.'))
    product.links = { ...product.links, [field.slice('links.'.length)]: skus }
}

function translate(cell: string, values: Rule['values'] = {}): string | number | boolean {
  return (Object.hasOwn(values, cell) ? values[cell] : values['*']) ?? cell
}

function stockName(field: string): string {
  return field.slice('inventory.'.length)
}

/** The stock of a line, where the product has one of its own: that of what has children is computed. */
export function stockOf(
  { product_type = 'simple', inventory }: Draft,
  losses: Losses,
): Pick<ProductLine, 'inventory'> {
  const isOwn = product_type === 'simple' || product_type === 'virtual'
  if (Object.keys(inventory).length === 0 || !isOwn) return {}
  const { quantity, backorders } = inventory
  if (quantity === undefined) return { inventory }
  return { inventory: { ...inventory, quantity: quantityOf(String(quantity), backorders === true, losses) } }
}
