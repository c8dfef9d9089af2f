import { describeStock, type Stock } from './inventory.ts'
import type { ProductDetail } from './product.schema.ts'
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
