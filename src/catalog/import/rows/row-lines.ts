import type { FieldName, productFields } from '../../../model/fields/product-fields.ts'
import type { BodyError } from '../../../platform/http/problems.ts'

/** A row of a CSV file, and the line on which it ends. */
export type Row = { cells: string[]; number: number }

/**
 * The steps in which a file of products that name each other is written, so that whatever a line names is there. The lines of axes
 * and references add to products that have lines of their own.
 */
export const steps = ['products', 'axes', 'variants', 'bundles', 'references'] as const
export type Step = (typeof steps)[number]

/** A line of a push, as it is made from rows. */
export type RowLine = {
  /** The product as JSON. */
  json: string
  /** The rows that it is made of, for the file of rejected lines. */
  rows: Row[]
  /** Left out where the line itself tells it. */
  step?: Step
  /** Why no line can be made of the rows. */
  fault?: BodyError
  /** A new product without a name gets that of the product with this SKU. */
  nameOf?: string
}

/** Turns the rows of a file into lines. Some lines need several rows. */
export type RowReader = { take(row: Row): RowLine[]; end(): RowLine[] }

type Scalar = string | number | boolean
type LineValues = {
  code: string
  text: string
  choice: string
  price: number | string
  categories: ({ path: string[] } | { name: string })[]
  attributes: Record<string, Scalar | Scalar[]>
  media: { url: string; alt?: string }[]
  product: { sku: string }
  names: string[]
  components: { sku: string; quantity?: number; choice?: string; default?: boolean }[]
  links: Record<string, { sku: string }[]>
}

/** What a line of a push may say, as far as files of other systems tell it. */
export type ProductLine = {
  [Name in FieldName]?: LineValues[(typeof productFields)[Name]['kind']]
} & { inventory?: Record<string, unknown> }

/** The line of a product, and one for the products that it names. That it names none is said in its own line. */
export function productLines(
  { components = [], links = {}, ...product }: ProductLine,
  rows: Row[],
): RowLine[] {
  const step = product.parent === undefined ? 'products' : 'variants'
  const kinds = Object.entries(links)
  const none = kinds.filter(([, skus]) => skus.length === 0)
  const some = kinds.filter(([, skus]) => skus.length > 0)
  const own = { ...product, ...(none.length > 0 && { links: Object.fromEntries(none) }) }
  const line: RowLine = { json: JSON.stringify(own), rows, step }
  if (components.length === 0 && some.length === 0) return [line]
  const named = {
    sku: product.sku,
    ...(components.length > 0 && { components }),
    ...(some.length > 0 && { links: Object.fromEntries(some) }),
  }
  return [line, { json: JSON.stringify(named), rows, step: 'references' }]
}
