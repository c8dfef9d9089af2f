import type { FieldName, productFields } from '../../../model/fields/product-fields.ts'
import type { BodyError } from '../../../platform/http/problems.ts'

/** A CSV row and the number of the line on which it ends. */
export type Row = { cells: string[]; number: number }

/**
 * The steps in which a file is written, so that referenced products exist. Lines in `axes` and `references` add to products that
 * have their own lines.
 */
export const steps = ['products', 'axes', 'variants', 'bundles', 'references'] as const
export type Step = (typeof steps)[number]

/** A push line built from rows. */
export type RowLine = {
  /** The product as JSON. */
  json: string
  /** The source rows, for the file of rejected lines. */
  rows: Row[]
  /** Undefined if it follows from the line itself. */
  step?: Step
  /** Why the rows cannot become a line. */
  error?: BodyError
  /** SKU of the product whose name a new product without a name gets. */
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
  media: ({ url: string; alt?: string } | { asset: string; alt?: string })[]
  product: { sku: string }
  names: string[]
  components: { sku: string; quantity?: number; choice?: string; default?: boolean }[]
  links: Record<string, { sku: string }[]>
}

/** The fields of a push line that files of other systems can contain. */
export type ProductLine = {
  [Name in FieldName]?: LineValues[(typeof productFields)[Name]['kind']]
} & { inventory?: Record<string, unknown>; views?: Record<string, ViewLine> }

/** What a line says about a view. */
export type ViewLine = { [Name in FieldName]?: unknown }

/** The line of a product, and one for its references. Empty links stay in the first line. */
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
