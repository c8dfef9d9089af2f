import { fieldNames, productFields } from '../fields/product-fields.ts'
import type { ProductDetail } from './product.schema.ts'
import type { Content } from './product-content.ts'

const inherited = fieldNames.filter((name) => productFields[name].isInherited)
const wholeFields = inherited.filter((name) => productFields[name].merges === 'whole')
const keyedFields = inherited.filter((name) => productFields[name].merges === 'by_key')

/** Fills the empty fields of a variant from its parent, and lists them in `inherited`. */
export function inherit(
  detail: ProductDetail,
  parent: Omit<Content, 'inventory'> | undefined,
): ProductDetail {
  if (parent === undefined) return { ...detail, inherited: [] }
  const filled = wholeFields.filter((field) => isEmpty(detail[field]) && !isEmpty(parent[field]))
  const keys = keyedFields.map((field) => {
    const [own, above] = [detail[field] as object, parent[field] as object]
    return { field, own, added: Object.entries(above).filter(([key]) => !Object.hasOwn(own, key)) }
  })
  return {
    ...detail,
    ...Object.fromEntries(filled.map((field) => [field, parent[field]])),
    // From entries, because an attribute can be named __proto__.
    ...Object.fromEntries(
      keys.map(({ field, own, added }) => [field, Object.fromEntries([...Object.entries(own), ...added])]),
    ),
    inherited: [...filled, ...keys.flatMap(({ field, added }) => added.map(([key]) => `${field}.${key}`))],
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || ((typeof value === 'string' || Array.isArray(value)) && value.length === 0)
}
