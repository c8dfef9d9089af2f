import { resolveCategories } from '../categories/resolve-categories.ts'
import type { Transaction } from '../database/database.ts'
import { Problem } from '../http/problems.ts'
import type { ProductRow } from './describe-product.ts'
import { initialStock } from './inventory.ts'
import { findProductIdBySku, requireProductRow } from './product.sql.ts'
import { scoreContent } from './product-content.ts'
import type { NewProduct } from './product-input.schema.ts'
import { type Author, insertProducts, type ProductToInsert } from './product-write.sql.ts'
import { qualityRulesVersion } from './quality-score.ts'
import { searchText } from './search-text.ts'

export async function createProduct(
  tx: Transaction,
  projectId: number,
  author: Author,
  input: NewProduct,
): Promise<ProductRow> {
  const [id] = await createProducts(tx, projectId, author, [input])
  if (id === undefined) throw duplicateSku(input.sku, await findProductIdBySku(tx, projectId, input.sku))
  return requireProductRow(tx, projectId, id)
}

/** Writes new products set-based and returns their ids. One whose SKU exists is left out. */
export async function createProducts(
  tx: Transaction,
  projectId: number,
  author: Author,
  inputs: NewProduct[],
): Promise<number[]> {
  const categories = await resolveCategories(
    tx,
    projectId,
    inputs.map((input) => input.categories),
  )
  const products = inputs.map((input, index) => toInsert(input, categories[index] ?? []))
  const rows = await insertProducts(tx, projectId, qualityRulesVersion, author, products)
  return rows.map(({ id }) => id)
}

function toInsert(
  { categories: _, inventory, ...fields }: NewProduct,
  categories: { id: number; name: string }[],
): ProductToInsert {
  const stock = initialStock(inventory)
  const { tracked, low_stock_threshold, backorders } = stock
  const content = { ...fields, categories, inventory: { tracked, low_stock_threshold, backorders } }
  const { score, failed } = scoreContent(content)
  return {
    ...fields,
    ...stock,
    search_text: searchText(fields),
    category_ids: categories.map(({ id }) => id),
    quality_score: score,
    quality_failed: failed,
    history: content,
  }
}

export function duplicateSku(sku: string, existing: number | undefined): Problem {
  const holder = existing === undefined ? 'another product' : `product ${existing}`
  return new Problem('duplicate_sku', {
    detail: `The SKU "${sku}" belongs to ${holder}; choose another, or update that one.`,
    ...(existing !== undefined && { existing_id: existing }),
  })
}
