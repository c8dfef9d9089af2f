import { resolveCategories } from '../categories/resolve-categories.ts'
import type { Transaction, Writable } from '../database/database.ts'
import { Problem } from '../http/problems.ts'
import type { ProductRow } from './describe-product.ts'
import { initialStock } from './inventory.ts'
import { findProductIdBySku } from './product.sql.ts'
import type { Content } from './product-content.ts'
import type { NewProduct } from './product-input.schema.ts'
import { insertProduct, insertProducts, type ProductToInsert } from './product-insert.sql.ts'
import type { Author } from './product-write.sql.ts'
import { qualityRulesVersion, scoreProduct } from './quality-score.ts'
import { searchText } from './search-text.ts'

export async function createProduct(
  writable: Writable,
  projectId: number,
  author: Author,
  input: NewProduct,
): Promise<ProductRow> {
  const row = await tryToCreate(writable, projectId, author, input)
  if (row === undefined)
    throw duplicateSku(input.sku, await findProductIdBySku(writable, projectId, input.sku))
  return row
}

/** Undefined when the SKU exists. Without new categories one statement does it all, and needs no transaction around it. */
export function tryToCreate(
  writable: Writable,
  projectId: number,
  author: Author,
  input: NewProduct,
): Promise<ProductRow | undefined> {
  if (input.categories.length > 0)
    return writable.transaction((tx) => createLinked(tx, projectId, author, input))
  return insertOne(writable, projectId, author, input, [])
}

async function createLinked(
  tx: Transaction,
  projectId: number,
  author: Author,
  input: NewProduct,
): Promise<ProductRow | undefined> {
  const [categories = []] = await resolveCategories(tx, projectId, [input.categories])
  return insertOne(tx, projectId, author, input, categories)
}

async function insertOne(
  writable: Writable,
  projectId: number,
  author: Author,
  input: NewProduct,
  categories: Content['categories'],
): Promise<ProductRow | undefined> {
  const product = toInsert(input, categories)
  const row = await insertProduct(writable, projectId, qualityRulesVersion, author, product)
  return row && { ...row, categories }
}

/** Writes new products set-based and returns their ids. One whose SKU exists is left out. */
export async function createProducts(
  tx: Transaction,
  projectId: number,
  author: Author,
  inputs: NewProduct[],
): Promise<number[]> {
  const lists = inputs.map((input) => input.categories)
  const categories = await resolveCategories(tx, projectId, lists)
  const products = inputs.map((input, index) => toInsert(input, categories[index] ?? []))
  const rows = await insertProducts(tx, projectId, qualityRulesVersion, author, products)
  return rows.map(({ id }) => id)
}

function toInsert(
  { categories: _, inventory, ...fields }: NewProduct,
  categories: Content['categories'],
): ProductToInsert {
  const stock = initialStock(inventory)
  const { tracked, low_stock_threshold, backorders } = stock
  const content = { ...fields, categories, inventory: { tracked, low_stock_threshold, backorders } }
  const { score, failed } = scoreProduct(content)
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
