import type { ProductDetail } from './product.schema.ts'
import type { Content } from './product-content.ts'

type Inherited = Pick<
  Content,
  'description' | 'short_description' | 'price' | 'categories' | 'attributes' | 'media'
>

const fields = ['description', 'short_description', 'price', 'categories', 'media'] as const

/** What a variant leaves empty, filled from its parent, with the names of what was filled. */
export function inherit(detail: ProductDetail, parent: Inherited | undefined): ProductDetail {
  if (parent === undefined) return { ...detail, inherited: [] }
  const filled = fields.filter((field) => isEmpty(detail[field]) && !isEmpty(parent[field]))
  const attributes = Object.entries(parent.attributes).filter(
    ([name]) => !Object.hasOwn(detail.attributes, name),
  )
  return {
    ...detail,
    ...Object.fromEntries(filled.map((field) => [field, parent[field]])),
    // Entries: an attribute may be called __proto__.
    attributes: Object.fromEntries([...Object.entries(detail.attributes), ...attributes]),
    inherited: [...filled, ...attributes.map(([name]) => `attributes.${name}`)],
  }
}

function isEmpty(value: Inherited[(typeof fields)[number]]): boolean {
  return value === null || (typeof value !== 'number' && value.length === 0)
}
