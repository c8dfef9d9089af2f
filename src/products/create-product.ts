import { resolveCategories } from '../categories/look-up-categories.ts'
import type { Database, Queryable, Transaction, Writable } from '../database/database.ts'
import { batchWrites } from '../database/scheduling/batch-writes.ts'
import { Problem } from '../http/problems.ts'
import type { ProductRow } from './describe-product.ts'
import { findProductIdBySku } from './product.sql.ts'
import type { Content } from './product-content.ts'
import type { NewProduct } from './product-input.schema.ts'
import { insertProduct, insertProducts, type ProductToInsert } from './product-insert.sql.ts'
import type { Author } from './product-write.sql.ts'
import { qualityRulesVersion, scoreProduct } from './quality-score.ts'
import { searchText } from './search-text.ts'
import { initialStock } from './stock.ts'

export type Creation = { projectId: number; author: Author; input: NewProduct }

/** Creates in the transaction it is given. Without one, what is created in a project at the same time is written together. */
export function productCreator(
  database: Database,
): (writable: Writable, creation: Creation) => Promise<ProductRow> {
  const create = batchWrites<Creation, ProductRow | undefined>(database, {
    projectOf: ({ projectId }) => projectId,
    keyOf: ({ input }) => input.sku,
    sizeOf: ({ input }) => JSON.stringify(input).length,
    together: createTogether,
    alone: (creation) => tryToCreate(database, creation),
  })

  return async (writable, creation) => {
    const row = await (writable === database ? create(creation) : tryToCreate(writable, creation))
    if (row !== undefined) return row
    const { projectId, input } = creation
    throw duplicateSku(input.sku, await findProductIdBySku(writable, projectId, input.sku))
  }
}

async function createTogether(tx: Transaction, creations: Creation[]): Promise<(ProductRow | undefined)[]> {
  const rows = await createProducts(tx, creations[0]?.projectId as number, creations)
  const bySku = new Map(rows.map((row) => [row.sku, row]))
  if (creations.some(({ input }) => input.categories.length > 0 && !bySku.has(input.sku)))
    throw new SkuTaken()
  return creations.map(({ input }) => bySku.get(input.sku))
}

/** Undefined when the SKU exists. Without categories one statement does it all, and needs no transaction around it. */
export async function tryToCreate(writable: Writable, creation: Creation): Promise<ProductRow | undefined> {
  if (creation.input.categories.length === 0) return insertOne(writable, creation, [])
  try {
    return await writable.transaction((tx) => createLinked(tx, creation), { project: creation.projectId })
  } catch (error) {
    if (error instanceof SkuTaken) return undefined
    throw error
  }
}

/** Takes along the categories that were made for the product. */
class SkuTaken extends Error {}

async function createLinked(tx: Transaction, creation: Creation): Promise<ProductRow> {
  const [categories = []] = await resolveCategories(tx, creation.projectId, [creation.input.categories])
  const row = await insertOne(tx, creation, categories)
  if (row === undefined) throw new SkuTaken()
  return row
}

async function insertOne(
  queryable: Queryable,
  { projectId, author, input }: Creation,
  categories: Content['categories'],
): Promise<ProductRow | undefined> {
  const product = toInsert(input, categories)
  const row = await insertProduct(queryable, projectId, qualityRulesVersion, author, product)
  return row && { ...row, categories }
}

/** Writes new products set-based and returns them. One whose SKU exists is left out. */
export async function createProducts(
  queryable: Queryable,
  projectId: number,
  creations: Pick<Creation, 'author' | 'input'>[],
): Promise<ProductRow[]> {
  const lists = creations.map(({ input }) => input.categories)
  const categories = await resolveCategories(queryable, projectId, lists)
  const products = creations.map(({ author, input }, index) => ({
    ...toInsert(input, categories[index] ?? []),
    ...author,
  }))
  const rows = await insertProducts(queryable, projectId, qualityRulesVersion, products)
  const bySku = new Map(creations.map(({ input }, index) => [input.sku, categories[index] ?? []]))
  return rows.map((row) => ({ ...row, categories: bySku.get(row.sku) ?? [] }))
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
