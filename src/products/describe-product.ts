import { describeStock, type Stock } from './inventory.ts'
import type { ProductDetail } from './product.schema.ts'
import { scoreContent } from './product-content.ts'
import type { PastContent } from './product-history.sql.ts'
import { explainScore } from './quality-score.ts'

/** A product row with its categories; all that the detail shows is in it or follows from it. */
export type ProductRow = Omit<ProductDetail, 'currency' | 'inventory' | 'quality_score'> &
  Stock & {
    inventory_updated_at: string
    quality_score: number
    quality_failed: string[]
    quality_computed_at: string
  }

export function describeProduct(row: ProductRow, currency: string): ProductDetail {
  const { tracked, quantity, reserved, low_stock_threshold, backorders } = row
  const scored = { ...row, category_count: row.categories.length }
  const stored = {
    score: row.quality_score,
    failed: row.quality_failed,
    computed_at: row.quality_computed_at,
  }
  return {
    ...row,
    currency,
    inventory: describeStock(
      { tracked, quantity, reserved, low_stock_threshold, backorders },
      row.inventory_updated_at,
    ),
    quality_score: explainScore(scored, stored),
  }
}

/** A product as it was. Stock has no versions, so it is left out. */
export function describePast(
  id: number,
  project: number,
  past: PastContent,
  currency: string,
): ProductDetail {
  const { content, version, created_at, updated_at } = past
  const { inventory: _settings, ...fields } = content
  const scored = { ...fields, category_count: fields.categories.length }
  const quality = { ...scoreContent(content), computed_at: updated_at }
  return {
    id,
    project,
    ...fields,
    currency,
    version,
    created_at,
    updated_at,
    quality_score: explainScore(scored, quality),
  }
}
