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

/** Whose push, to which project; whether it may create and change. */
export type Push = {
  projectId: number
  author: Author
  ruleset: Ruleset
  mode: PushMode
  /** Whether a SKU that nobody has is refused. */
  isStrict?: boolean
  /** How products are shown, to compare read-only fields with; without it they are ignored, as those of a file are. */
  show?: ShowProducts | undefined
}

/** A product while the lines of a push are applied to it, in order. */
export type ProductState = {
  /** undefined until a new product is written */
  id: number | undefined
  /** Before the first of the steps; so are the score and what prompts wrote. */
  version: number
  quality_score: number
  quality_ruleset: number
  provenance: Entries
  /** What a new product is made from; undefined for one that was there. */
  created: { content: Content; levels: StockLevels; provenance?: NewEntries | undefined } | undefined
  content: Content
  levels: StockLevels
  /** Each change that raises the version. */
  steps: Differences[]
  /** Each change of the stock. */
  adjustments: { delta: number; quantity: number }[]
  /** Of a variant: the axes that it is told apart by, once a line has changed its parent or attributes. */
  axes?: string[] | undefined
}

/** What became of a line. The product tells its id once it is written. */
export type AppliedLine = {
  line: number
  sku: string | null
  product: ProductState | undefined
  outcome: 'created' | 'updated' | 'unchanged' | 'rejected'
  /** The version that the line created; null if it created none. */
  version: number | null
  errors: BodyError[]
  /** What is written although a definition of an attribute says otherwise. */
  warnings?: BodyError[]
  /** Fields before and after, for a dry run. */
  changes: { before: object; after: object } | undefined
}

/** Why a line was rejected. A line without errors of its own would have created a product that exists. */
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
