import { valuesOf } from '../../model/fields/product-fields.ts'
import type { ProductRow } from '../../model/product/product-row.ts'

/** The variables that a product gives to a prompt. A price that is not set gives none. */
export function productVariables(product: ProductRow, currency: string): Map<string, string> {
  const { id, sku, name, description, short_description, price, status, product_type } = product
  const fields = { id, sku, name, description, short_description, price, currency, status, product_type }
  const attributes = Object.entries(product.attributes).map(([attribute, value]): [string, string] => [
    attribute,
    valuesOf(value).join(', '),
  ])
  return new Map([
    ...Object.entries(fields).flatMap(([field, value]): [string, string][] =>
      value === null ? [] : [[field, String(value)]],
    ),
    ['categories', product.categories.map((category) => category.name).join(', ')],
    ['attributes', attributes.map(([attribute, value]) => `${attribute}: ${value}`).join('; ')],
    ...attributes.map(([attribute, value]): [string, string] => [`attributes.${attribute}`, value]),
  ])
}
