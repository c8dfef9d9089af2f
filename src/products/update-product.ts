import { resolveCategories } from '../categories/resolve-categories.ts'
import type { Database, Transaction } from '../database/database.ts'
import { sqlState } from '../database/failures.ts'
import { requireMatch } from '../http/etag.ts'
import { notFound } from '../http/problems.ts'
import { duplicateSku } from './create-product.ts'
import type { ProductRow } from './describe-product.ts'
import { refuseOwedStock, type StockLevels } from './inventory.ts'
import { findProductIdBySku, lockProduct, requireProductRow } from './product.sql.ts'
import {
  type Content,
  contentOf,
  differences,
  patchContent,
  replaceContent,
  scoreContent,
} from './product-content.ts'
import type { InventoryInput, NewProduct, ProductPatch } from './product-input.schema.ts'
import { type Author, insertAdjustment, setStock, updateProductRow } from './product-write.sql.ts'
import { qualityRulesVersion } from './quality-score.ts'

const uniqueViolation = '23505'
const skuAttempts = 5

/** Whose change, to which product, and on condition of which version. */
export type Target = { projectId: number; id: number; author: Author; ifMatch: string | undefined }

export function patchProduct(database: Database, target: Target, patch: ProductPatch): Promise<ProductRow> {
  return changing(database, target, patch.sku, async (tx, row) => {
    const [categories] =
      patch.categories === undefined ? [] : await resolveCategories(tx, target.projectId, [patch.categories])
    return writeChange(tx, target, row, patchContent(contentOf(row), patch, categories), patch.inventory)
  })
}

export function replaceProduct(database: Database, target: Target, input: NewProduct): Promise<ProductRow> {
  return changing(database, target, input.sku, (tx, row) => writeReplacement(tx, target, row, input))
}

export async function writeReplacement(
  tx: Transaction,
  target: Target,
  row: ProductRow,
  input: NewProduct,
): Promise<ProductRow> {
  const [categories = []] = await resolveCategories(tx, target.projectId, [input.categories])
  return writeChange(tx, target, row, replaceContent(contentOf(row), input, categories), input.inventory)
}

async function changing(
  database: Database,
  { projectId, id, ifMatch }: Target,
  sku: string | undefined,
  change: (tx: Transaction, row: ProductRow) => Promise<ProductRow>,
): Promise<ProductRow> {
  for (let left = skuAttempts; ; left -= 1) {
    try {
      return await database.transaction(async (tx) => {
        const row = await lockProduct(tx, projectId, { id })
        if (row === undefined) throw notFound('product', id)
        requireMatch(ifMatch, row.version)
        return change(tx, row)
      })
    } catch (error) {
      if (sqlState(error) !== uniqueViolation || sku === undefined) throw error
      const holder = await findProductIdBySku(database, projectId, sku)
      // Whoever had the SKU gave it up meanwhile: then it is ours to take.
      if (holder !== undefined || left === 0) throw duplicateSku(sku, holder)
    }
  }
}

/** Writes what differs and nothing else; a change that changes nothing keeps version and time. */
async function writeChange(
  tx: Transaction,
  target: Target,
  row: ProductRow,
  next: Content,
  inventory: InventoryInput | undefined,
): Promise<ProductRow> {
  const levels = {
    quantity: inventory?.quantity ?? row.quantity,
    reserved: inventory?.reserved ?? row.reserved,
  }
  refuseOwedStock({ ...next.inventory, ...levels })
  const isStocked = await writeLevels(tx, target, row, levels)
  const history = differences(contentOf(row), next)
  if (history !== undefined) {
    const change = { content: next, quality: scoreContent(next), rulesVersion: qualityRulesVersion, history }
    await updateProductRow(tx, target.projectId, target.id, target.author, change)
  }
  // Read again rather than put together: the answer to a write has the bytes, and the ETag, of the read that follows.
  return isStocked || history !== undefined ? requireProductRow(tx, target.projectId, target.id) : row
}

async function writeLevels(
  tx: Transaction,
  { projectId, id, author }: Target,
  row: ProductRow,
  levels: StockLevels,
): Promise<boolean> {
  const delta = levels.quantity - row.quantity
  if (delta === 0 && levels.reserved === row.reserved) return false
  await setStock(tx, projectId, id, levels)
  await insertAdjustment(tx, projectId, id, author, { delta, quantity: levels.quantity, reason: 'set' })
  return true
}
