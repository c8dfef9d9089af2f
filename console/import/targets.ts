import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import { fieldEntries, fieldsOfKind } from '../../src/model/fields/product-fields.ts'
import { stockFieldsOfKind } from '../../src/model/fields/stock-fields.ts'
import { attributePrefix, pathColumn } from '../../src/model/files/csv-columns.ts'
import { strings } from './strings.ts'

/** The fields that a column can map to, by export column. An attribute is `attributes.<name>`. */
export const targetGroups = {
  product: fieldsOfKind('code', 'text', 'price', 'choice'),
  categoriesAndImages: [pathColumn, ...fieldsOfKind('categories'), ...fieldsOfKind('media')],
  stock: [...stockFieldsOfKind('count'), ...stockFieldsOfKind('switch')],
  structure: [
    ...fieldsOfKind('product', 'names', 'components'),
    ...fieldEntries.flatMap(([name, { parts = {} }]) => Object.keys(parts).map((part) => `${name}.${part}`)),
  ],
}
export const targets: readonly string[] = Object.values(targetGroups).flat()
/** The export column for attributes without their own column. */
export const attributesColumn = 'attributes'

/** The attribute name of a target. It can be empty while the user types. */
export function attributeNameOf(target: string): string | undefined {
  return target.startsWith(attributePrefix) ? target.slice(attributePrefix.length) : undefined
}

const labels: Record<string, string> = {
  [pathColumn]: strings.mapping.fields.categoryPaths,
  categories: strings.mapping.fields.categories,
  media: strings.mapping.fields.images,
  parent: strings.mapping.fields.parent,
  [attributesColumn]: strings.mapping.fields.attributes,
}

export function targetLabel(target: string): string {
  return labels[target] ?? fieldLabel(target)
}
