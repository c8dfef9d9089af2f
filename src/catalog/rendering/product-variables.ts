import { valueList } from '../../model/fields/attributes.schema.ts'
import { fieldsOfKind } from '../../model/fields/product-fields.ts'
import { contentOf } from '../../model/product/product-content.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import { plainVariables } from '../../model/prompts/product-variable-names.ts'
import { resolveSource } from '../../model/views/resolve-view.ts'
import type { ChosenView, View } from '../../model/views/views.ts'

/** The variables that a product provides to a prompt. An unset price provides none. */
export function productVariables(product: ProductRow, currency: string): Map<string, string> {
  const variables = new Map([
    ['id', String(product.id)],
    ['currency', currency],
  ])
  for (const field of plainVariables) {
    const value = product[field]
    if (value !== null) variables.set(field, String(value))
  }
  for (const field of fieldsOfKind('categories'))
    variables.set(field, product[field].map(({ name }) => name).join(', '))
  for (const field of fieldsOfKind('attributes')) {
    const texts = Object.entries(product[field]).map(([name, value]) => [name, valueList(value).join(', ')])
    variables.set(field, texts.map(([name, text]) => `${name}: ${text}`).join('; '))
    for (const [name = '', text = ''] of texts) variables.set(`${field}.${name}`, text)
  }
  return variables
}

/** The variables of what a view is written from. */
export function sourceVariables(product: ProductRow, { view, views }: ChosenView): Map<string, string> {
  return productVariables({ ...product, ...resolveSource(contentOf(product), view, views) }, view.currency)
}

/** The variables that describe a view. One without a locale has no such variable. */
export function viewVariables({ code, label, locale }: View): Map<string, string> {
  const variables = new Map([
    ['view.code', code],
    ['view.label', label],
  ])
  if (locale !== null) variables.set('view.locale', locale)
  return variables
}
