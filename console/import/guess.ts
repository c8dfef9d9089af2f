import { attributePrefix, pathColumn } from '../../src/model/files/csv-columns.ts'
import { simpleName } from '../parts/format/similar-names.ts'
import { attributesColumn, targetLabel, targets } from './targets.ts'

/** Field names of other systems. */
const otherNames: Record<string, string[]> = {
  sku: [
    'item sku',
    'product sku',
    'product code',
    'item code',
    'item number',
    'article number',
    'article no',
    'art no',
    'item no',
    'product no',
    'part number',
    'part no',
  ],
  name: ['title', 'product name', 'product title', 'item name'],
  description: ['body', 'body html', 'long description', 'product description', 'details'],
  short_description: ['summary', 'excerpt', 'short text', 'teaser'],
  price: ['unit price', 'regular price', 'list price', 'retail price', 'sales price'],
  status: ['product status', 'state'],
  product_type: ['type', 'kind'],
  [pathColumn]: ['category path'],
  categories: ['category', 'product category', 'product categories'],
  media: [
    'image',
    'images',
    'image url',
    'image urls',
    'image link',
    'image src',
    'picture',
    'pictures',
    'photo',
  ],
  parent: ['parent sku', 'parent product'],
  'inventory.quantity': [
    'qty',
    'quantity',
    'stock',
    'stock quantity',
    'stock level',
    'in stock',
    'on hand',
    'inventory',
  ],
  'inventory.reserved': ['reserved', 'reserved quantity'],
  'inventory.low_stock_threshold': ['low stock', 'reorder level', 'reorder point', 'minimum stock'],
  'inventory.tracked': ['track stock', 'track inventory', 'manage stock'],
  'inventory.backorders': ['allow backorders'],
  components: ['bundle items'],
  'links.related': ['related', 'related products', 'related skus'],
  'links.upsell': ['upsells', 'upsell skus'],
  'links.cross_sell': ['cross sells', 'cross sell skus'],
}

/** Ignores case, spaces and punctuation. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{Letter}\p{Number}]/gu, '')
}

const byOwnName = new Map([...targets, attributesColumn].map((target) => [plainName(target), target]))
const byOtherName = new Map([
  ...targets.map((target): [string, string] => [plainName(targetLabel(target)), target]),
  ...Object.entries(otherNames).flatMap(([target, names]) =>
    names.map((name): [string, string] => [plainName(name), target]),
  ),
])

type Sample = { header: readonly string[]; rows: readonly (readonly string[])[] }

/**
 * Maps each column by its name: an export column, a defined attribute, a field name of another system, or a similar attribute. No two columns
 * map to the same field, and unknown columns stay unmapped.
 */
export function guessMapping({ header, rows }: Sample, attributes: readonly string[]): string[] {
  const mapping = header.map(() => '')
  const byAttribute = new Map(attributes.map((name) => [plainName(name), attributePrefix + name]))
  const bySimilarAttribute = new Map(attributes.map((name) => [simpleName(name), attributePrefix + name]))
  const ways = [
    (name: string) => (name.startsWith(attributePrefix) ? name : undefined),
    (name: string) => byOwnName.get(plainName(name)),
    (name: string) => byAttribute.get(plainName(name)),
    (name: string) => byOtherName.get(plainName(name)),
    (name: string) => bySimilarAttribute.get(simpleName(name)),
  ]
  for (const way of ways)
    for (const [index, name] of header.entries()) {
      const target = mapping[index] === '' ? way(name) : undefined
      if (target !== undefined && !mapping.includes(target)) mapping[index] = target
    }
  return withPaths(mapping, rows)
}

/** Maps categories to paths if their cells look like paths, unless the file has a path column. */
function withPaths(mapping: string[], rows: Sample['rows']): string[] {
  if (mapping.includes(pathColumn)) return mapping
  return mapping.map((target, index) =>
    target === 'categories' && rows.some((cells) => /[>›/]/.test(cells[index] ?? '')) ? pathColumn : target,
  )
}
