import { resolveCategories } from '../categories/resolve-categories.ts'
import type { Database, Transaction } from '../database/database.ts'
import { Problem } from '../http/problems.ts'
import type { ProductRow } from './describe-product.ts'
import { initialStock } from './inventory.ts'
import type { NewProduct } from './product.schema.ts'
import {
  type Author,
  findProductIdBySku,
  findProducts,
  insertProducts,
  type ProductToInsert,
  productKey,
} from './product.sql.ts'
import { qualityRulesVersion, scoreProduct } from './quality-score.ts'

export function createProduct(
  database: Database,
  projectId: number,
  author: Author,
  input: NewProduct,
): Promise<ProductRow> {
  return database.transaction(async (tx) => {
    const [id] = await createProducts(tx, projectId, author, [input])
    if (id === undefined) throw await duplicateSku(tx, projectId, input.sku)
    const found = await findProducts(tx, [{ projectId, id }])
    return found.get(productKey({ projectId, id })) as ProductRow
  })
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
  categoryIds: number[],
): ProductToInsert {
  const { score, failed } = scoreProduct({ ...fields, category_count: categoryIds.length })
  return {
    ...fields,
    ...initialStock(inventory),
    category_ids: categoryIds,
    quality_score: score,
    quality_failed: failed,
    history: { ...fields, categories: categoryIds },
  }
}

async function duplicateSku(tx: Transaction, projectId: number, sku: string): Promise<Problem> {
  const existing = await findProductIdBySku(tx, projectId, sku)
  return new Problem('duplicate_sku', {
    detail: `The SKU "${sku}" belongs to product ${existing}; choose another, or update that one.`,
    ...(existing !== undefined && { existing_id: existing }),
  })
}
