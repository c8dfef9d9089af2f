import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import { fieldEntries, fieldsOfKind, stockFieldsOfKind } from '../../src/model/fields/product-fields.ts'
import { attributePrefix, pathColumn } from '../../src/model/files/csv-columns.ts'

/** What a column can become, by the names of the columns of an export. An attribute is `attributes.<name>`. */
export const targetGroups = {
  Product: fieldsOfKind('code', 'text', 'price', 'choice'),
  'Categories and images': [pathColumn, ...fieldsOfKind('categories'), ...fieldsOfKind('media')],
  Stock: [...stockFieldsOfKind('count'), ...stockFieldsOfKind('switch')],
  Structure: [
    ...fieldsOfKind('product', 'names', 'components'),
    ...fieldEntries.flatMap(([name, { parts = {} }]) => Object.keys(parts).map((part) => `${name}.${part}`)),
  ],
}
export const targets: readonly string[] = Object.values(targetGroups).flat()
/** All attributes in one column, as an export writes those that have none of their own. */
export const attributesColumn = 'attributes'

/** The name of the attribute that a column becomes; it may be empty while somebody types it. */
export function attributeOf(target: string): string | undefined {
  return target.startsWith(attributePrefix) ? target.slice(attributePrefix.length) : undefined
}

const labels: Record<string, string> = {
  [pathColumn]: 'Category paths',
  categories: 'Categories by name',
  media: 'Images',
  parent: 'Parent’s SKU',
  [attributesColumn]: 'Attributes as JSON',
}

export function targetLabel(target: string): string {
  return labels[target] ?? fieldLabel(target)
}
