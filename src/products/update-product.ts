import { resolveCategories } from '../categories/resolve-categories.ts'
import type { Database, Transaction } from '../database/database.ts'
import { sqlState } from '../database/failures.ts'
import { requireMatch } from '../http/etag.ts'
import { notFound } from '../http/problems.ts'
import { duplicateSku } from './create-product.ts'
import type { ProductRow } from './describe-product.ts'
import { refuseOwedStock, type StockLevels } from './inventory.ts'
import { lockProduct } from './product.sql.ts'
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
  try {
    return await database.transaction(async (tx) => {
      const row = await lockProduct(tx, projectId, { id })
      if (row === undefined) throw notFound('product', id)
      requireMatch(ifMatch, row.version)
      return change(tx, row)
    })
  } catch (error) {
    if (sqlState(error) === '23505' && sku !== undefined) throw await duplicateSku(database, projectId, sku)
    throw error
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
  const { inventory: settings, ...fields } = next
  const content = { ...fields, ...settings }
  const stock = await writeLevels(tx, target, row, levels)
  const history = differences(contentOf(row), next)
  if (history === undefined) return { ...row, ...stock }
  const quality = scoreContent(next)
  const change = { content: next, quality, rulesVersion: qualityRulesVersion, history }
  const written = await updateProductRow(tx, target.projectId, target.id, target.author, change)
  return {
    ...row,
    ...content,
    ...stock,
    ...written,
    quality_score: quality.score,
    quality_failed: quality.failed,
    quality_computed_at: written.updated_at,
  }
}

async function writeLevels(
  tx: Transaction,
  { projectId, id, author }: Target,
  row: ProductRow,
  levels: StockLevels,
) {
  const delta = levels.quantity - row.quantity
  if (delta === 0 && levels.reserved === row.reserved) return {}
  const inventory_updated_at = await setStock(tx, projectId, id, levels)
  if (delta !== 0)
    await insertAdjustment(tx, projectId, id, author, { delta, quantity: levels.quantity, reason: 'set' })
  return { ...levels, inventory_updated_at }
}
