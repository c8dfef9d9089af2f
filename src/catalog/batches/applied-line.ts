import type { AssetKind } from '../../model/assets/asset-types.ts'
import type { Content, Differences } from '../../model/product/product-content.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import type { PushMode } from '../../model/product/push-input.schema.ts'
import type { StockLevels } from '../../model/product/stock.ts'
import type { Entries, NewEntries } from '../../model/provenance/entries.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import type { BodyError } from '../../platform/http/problems.ts'
import { duplicateSku } from '../products/create-product.ts'
import type { ShowProducts } from '../products/show-product.ts'
import type { Author } from '../products/write-products.ts'

/** The author and target of a push, and whether it may create and change products. */
export type Push = {
  projectId: number
  author: Author
  ruleset: Ruleset
  mode: PushMode
  /** Whether references to unknown SKUs are rejected. */
  isStrict?: boolean
  /** In a dry run: files that would be uploaded before the push, by hash. */
  pendingAssets?: ReadonlyMap<string, AssetKind> | undefined
  /** Shows products, to compare their read-only fields with the lines. Without it, read-only fields are ignored, as in files. */
  show?: ShowProducts | undefined
}

/** The state of a product while lines are applied to it, in order. */
export type ProductState = {
  /** undefined until a new product is written */
  id: number | undefined
  /** Before the first step, like the score and the provenance. */
  version: number
  quality_score: number
  quality_ruleset: number
  provenance: Entries
  /** What a new product is created with; undefined for an existing product. */
  created: { content: Content; levels: StockLevels; provenance?: NewEntries | undefined } | undefined
  content: Content
  levels: StockLevels
  /** Changes that each create a version. */
  steps: Differences[]
  /** Stock changes. */
  adjustments: { delta: number; quantity: number }[]
  /** The axes of a variant whose parent or attributes a line has changed. */
  axes?: string[] | undefined
}

/** The result of a line. A new product has an ID only after the write. */
export type AppliedLine = {
  line: number
  sku: string | null
  product: ProductState | undefined
  outcome: 'created' | 'updated' | 'unchanged' | 'rejected'
  /** The version that the line created; null if it created none. */
  version: number | null
  errors: BodyError[]
  /** Values that are written although they do not match an attribute definition. */
  warnings?: BodyError[]
  /** Fields before and after, for a dry run. */
  changes: { before: object; after: object } | undefined
}

/** The errors of a rejected line. A rejected line without errors would have created a product that exists. */
export function errorsOf({
  sku,
  product,
  outcome,
  errors,
}: Pick<AppliedLine, 'sku' | 'product' | 'outcome' | 'errors'>): BodyError[] {
  if (outcome !== 'rejected' || errors.length > 0) return errors
  const { message } = duplicateSku(sku ?? '', product?.id)
  return [{ pointer: '/sku', code: 'duplicate_sku', message }]
}

export function rejectLine(
  { line, sku }: { line: number; sku: string | null },
  errors: AppliedLine['errors'],
  product: ProductState | undefined,
): AppliedLine {
  return { line, sku, product, outcome: 'rejected', version: null, errors, changes: undefined }
}

export function newState(
  created: NonNullable<ProductState['created']>,
  axes: string[] | undefined,
): ProductState {
  const { content, levels } = created
  const untouched = { steps: [], adjustments: [] }
  return {
    id: undefined,
    version: 1,
    quality_score: 0,
    quality_ruleset: 0,
    provenance: {},
    created,
    content,
    levels,
    ...untouched,
    axes,
  }
}

export function copyState(product: ProductState): ProductState {
  return { ...product, steps: [...product.steps], adjustments: [...product.adjustments] }
}

export function loadedState(row: ProductRow, content: Content): ProductState {
  const { id, version, quality_score, quality_ruleset, provenance, quantity, reserved } = row
  return {
    id,
    version,
    quality_score,
    quality_ruleset,
    provenance,
    created: undefined,
    content,
    levels: { quantity, reserved },
    steps: [],
    adjustments: [],
  }
}
