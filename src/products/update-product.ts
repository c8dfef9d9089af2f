import { resolveCategories } from '../categories/look-up-categories.ts'
import type { Database, Transaction, Writable } from '../database/database.ts'
import { sqlState } from '../database/failures.ts'
import { batchWrites } from '../database/scheduling/batch-writes.ts'
import { notFound } from '../http/problems.ts'
import { requireMatch } from '../http/response/etag.ts'
import { duplicateSku } from './create-product.ts'
import type { ProductRow } from './describe-product.ts'
import { findProductIdBySku, lockProduct, requireProductRow } from './product.sql.ts'
import { type Content, contentOf, differences, patchContent, replaceContent } from './product-content.ts'
import type { InventoryInput, NewProduct, ProductPatch } from './product-input.schema.ts'
import {
  type Author,
  insertAdjustment,
  type OwnRow,
  type ProductChange,
  setStock,
  updateProductRow,
  updateProductRows,
} from './product-write.sql.ts'
import { qualityRulesVersion, scoreProduct } from './quality-score.ts'
import { refuseOwedStock, type StockLevels } from './stock.ts'

const uniqueViolation = '23505'
const skuAttempts = 5

/** Whose change, to which product, and on condition of which version. */
export type Target = {
  projectId: number
  id: number
  author: Author
  ifMatch: string | undefined
  /** The product as it was after the request arrived, where that was read already. */
  seen?: ProductRow | undefined
}

type Next = { content: Content; inventory: InventoryInput | undefined }
type Change = (writable: Writable, row: ProductRow) => Promise<Next>
type SeenChange = { row: ProductRow; author: Author; change: ProductChange }
type WriteSeen = (change: SeenChange) => Promise<OwnRow | undefined>

/** Changes products of the database. What changes at the same time in a project is written together, where one statement can. */
export function productUpdater(database: Database) {
  const writeSeen = batchWrites<SeenChange, OwnRow | undefined>(database, {
    projectOf: ({ row }) => row.project,
    keyOf: ({ row }) => row.id,
    // The whole product comes back.
    sizeOf: ({ change }) => JSON.stringify(change.content).length,
    together: updateTogether,
    alone: ({ row, author, change }) => updateProductRow(database, row, author, change),
  })

  return {
    patch: (target: Target, patch: ProductPatch): Promise<ProductRow> =>
      changing(database, writeSeen, target, patch, async (writable, row) => {
        const [categories] =
          patch.categories === undefined
            ? []
            : await resolveCategories(writable, target.projectId, [patch.categories])
        return { content: patchContent(contentOf(row), patch, categories), inventory: patch.inventory }
      }),
    replace: (target: Target, input: NewProduct): Promise<ProductRow> =>
      changing(database, writeSeen, target, input, (writable, row) =>
        replacement(writable, target, row, input),
      ),
  }
}

async function updateTogether(tx: Transaction, changes: SeenChange[]): Promise<(OwnRow | undefined)[]> {
  const rows = await updateProductRows(tx, changes[0]?.row.project as number, changes)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return changes.map(({ row }) => byId.get(row.id))
}

/** For a product that is locked already. */
export async function writeReplacement(
  tx: Transaction,
  target: Target,
  row: ProductRow,
  input: NewProduct,
): Promise<ProductRow> {
  return writeLocked(tx, target, row, await replacement(tx, target, row, input))
}

async function replacement(
  writable: Writable,
  target: Target,
  row: ProductRow,
  input: NewProduct,
): Promise<Next> {
  const [categories = []] = await resolveCategories(writable, target.projectId, [input.categories])
  return { content: replaceContent(contentOf(row), input, categories), inventory: input.inventory }
}

async function changing(
  database: Database,
  writeSeen: WriteSeen,
  target: Target,
  { sku, categories = [], inventory }: Pick<ProductPatch, 'sku' | 'categories' | 'inventory'>,
  change: Change,
): Promise<ProductRow> {
  const { projectId, id, ifMatch, seen } = target
  // Stock, and categories that may have to be made, take more than the one statement that the quick way is.
  const isQuick = seen !== undefined && inventory === undefined && categories.length === 0
  for (let left = skuAttempts; ; left -= 1) {
    try {
      const written =
        isQuick && left === skuAttempts && (await changeSeen(database, writeSeen, target, seen, change))
      if (written) return written
      const changeLocked = async (tx: Transaction) => {
        const row = await lockProduct(tx, projectId, { id })
        if (row === undefined) throw notFound('product', id)
        requireMatch(ifMatch, row.version)
        return writeLocked(tx, target, row, await change(tx, row))
      }
      return await database.transaction(changeLocked, { project: projectId })
    } catch (error) {
      if (sqlState(error) !== uniqueViolation || sku === undefined) throw error
      const holder = await findProductIdBySku(database, projectId, sku)
      // Whoever had the SKU gave it up meanwhile: then it is ours to take.
      if (holder !== undefined || left === 0) throw duplicateSku(sku, holder)
    }
  }
}

/** Without a lock: the write itself looks whether the version is still the one that was seen. False when it is not. */
async function changeSeen(
  database: Database,
  writeSeen: WriteSeen,
  { author, ifMatch }: Target,
  row: ProductRow,
  makeChange: Change,
): Promise<ProductRow | false> {
  requireMatch(ifMatch, row.version)
  const { content } = await makeChange(database, row)
  const history = differences(contentOf(row), content)
  // It was read before the body came: whether that is still so, only the locked way can tell.
  if (history === undefined) return false
  const change = changeTo(content, history)
  const written = await ('categories' in history.after
    ? updateProductRow(database, row, author, change)
    : writeSeen({ row, author, change }))
  return written !== undefined && { ...written, categories: content.categories }
}

function changeTo(content: Content, history: ProductChange['history']): ProductChange {
  return { content, quality: scoreProduct(content), rulesVersion: qualityRulesVersion, history }
}

/** Writes what differs and nothing else; a change that changes nothing keeps version and time. */
async function writeLocked(
  tx: Transaction,
  target: Target,
  row: ProductRow,
  { content, inventory }: Next,
): Promise<ProductRow> {
  const levels = {
    quantity: inventory?.quantity ?? row.quantity,
    reserved: inventory?.reserved ?? row.reserved,
  }
  refuseOwedStock({ ...content.inventory, ...levels })
  const isStocked = await writeLevels(tx, target, row, levels)
  const history = differences(contentOf(row), content)
  if (history !== undefined) await updateProductRow(tx, row, target.author, changeTo(content, history))
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
