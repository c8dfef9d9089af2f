import { productLimits } from '../../model/limits/products.ts'
import type { Inventory } from '../../model/product/product.schema.ts'
import { describeStock } from '../../model/product/stock.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { notFound, Problem } from '../../platform/http/problems.ts'
import { requireMatch } from '../../platform/http/response/etag.ts'
import { lockProduct } from '../products/product.sql.ts'
import type { Author } from '../products/write-products.ts'
import { stockIsComputed } from '../structure/reject-conflicts.ts'
import { findComputed } from '../structure/structure.sql.ts'
import type { StockAdjustment } from './product-inventory.schema.ts'
import { addToStock, insertAdjustment } from './product-inventory.sql.ts'

/** Adds to the quantity atomically, and records the author and the reason. */
export async function adjustStock(
  tx: Transaction,
  projectId: number,
  id: number,
  author: Author,
  { delta, reason }: StockAdjustment,
  ifMatch: string | undefined,
): Promise<Inventory> {
  if (ifMatch !== undefined) {
    const product = await lockProduct(tx, projectId, { id })
    if (product === undefined) throw notFound('product', id)
    requireMatch(ifMatch, product.version)
  }
  const row = await addToStock(tx, projectId, id, delta)
  if (row === undefined) throw await explainRejection(tx, projectId, id, delta)
  await insertAdjustment(tx, projectId, id, author, { delta, quantity: row.quantity, reason })
  const { inventory_updated_at, ...stock } = row
  return describeStock(stock, inventory_updated_at)
}

async function explainRejection(
  tx: Transaction,
  projectId: number,
  id: number,
  delta: number,
): Promise<Problem> {
  const row = await lockProduct(tx, projectId, { id })
  if (row === undefined) return notFound('product', id)
  if ((await findComputed(tx, projectId, [row])).has(id)) return stockIsComputed()
  if (Math.abs(row.quantity + delta) > productLimits.stock) {
    const message = `would take the quantity of ${row.quantity} beyond the limit of ${productLimits.stock}`
    return new Problem('invalid_body', { errors: [{ pointer: '/delta', code: 'too_large', message }] })
  }
  return new Problem('insufficient_stock', {
    detail: `The quantity is ${row.quantity}; adding ${delta} would make it negative, and the product does not allow backorders.`,
  })
}
