import { productLimits } from '../../model/limits/products.ts'
import type { Inventory } from '../../model/product/product.schema.ts'
import { describeStock } from '../../model/product/stock.ts'
import { batchWrites } from '../../platform/database/batching/batch-writes.ts'
import type { Database, Transaction, Writable } from '../../platform/database/database.ts'
import { notFound, Problem } from '../../platform/http/problems.ts'
import { requireMatch } from '../../platform/http/response/etag.ts'
import { repeat } from '../../platform/scheduling/retry.ts'
import { writeLimits } from '../limits.ts'
import { lockProduct } from '../products/product.sql.ts'
import type { Author } from '../products/write-products.ts'
import { stockIsComputed } from '../structure/reject-conflicts.ts'
import type { StockAdjustment } from './product-inventory.schema.ts'
import { type AdjustedStock, addToStock } from './product-inventory.sql.ts'

/** An adjustment of one product. */
export type AdjustmentRequest = StockAdjustment & {
  projectId: number
  id: number
  author: Author
  ifMatch?: string | undefined
}

export type AdjustStock = ReturnType<typeof stockAdjuster>

type Result = { row: AdjustedStock | undefined }

/**
 * Adds to quantities atomically, and records authors and reasons. Concurrent adjustments in a project share a statement, except those of
 * one product by several authors.
 */
export function stockAdjuster(database: Database) {
  const adjustTogether = batchWrites<AdjustmentRequest, Result | undefined>(database, {
    projectOf: ({ projectId }) => projectId,
    sizeOf: ({ reason }) => reason.length,
    isOneStatement: true,
    together: async (shared, requests) => {
      const first = requests.filter(createAuthorFilter())
      const rows = await addToStock(shared, first, { skipsLocked: true })
      const results = new Map(first.map((request, index) => [request, { row: rows[index] }]))
      return requests.map((request) => results.get(request))
    },
    alone: async (request) => {
      const [row] = await addToStock(database, [request], { skipsLocked: false })
      return { row }
    },
  })

  return async (writable: Writable, request: AdjustmentRequest): Promise<Inventory> => {
    const isShared = writable === database && request.ifMatch === undefined
    const attempts = writeLimits.adjustmentAttempts
    const result = isShared ? await repeat({ attempts }, () => adjustTogether(request)) : undefined
    if (result?.row !== undefined) return describeAdjusted(request, result.row)
    return writable.transaction((tx) => adjustInTransaction(tx, request), { project: request.projectId })
  }
}

/**
 * Selects each product's adjustments by the author of its first one. A statement emits one event per author, so a product's events would
 * otherwise lose their order.
 */
function createAuthorFilter() {
  const authors = new Map<number, Author>()
  return ({ id, author }: AdjustmentRequest): boolean => {
    const { actor, source } = authors.getOrInsert(id, author)
    return actor === author.actor && source === author.source
  }
}

/** Adjusts the stock of one product in a transaction, which waits for other writers of the product. */
export async function adjustInTransaction(tx: Transaction, request: AdjustmentRequest): Promise<Inventory> {
  const { projectId, id, ifMatch } = request
  if (ifMatch !== undefined) {
    const product = await lockProduct(tx, projectId, { id })
    if (product === undefined) throw notFound('product', id)
    requireMatch(ifMatch, product.version)
  }
  const [row] = await addToStock(tx, [request], { skipsLocked: false })
  if (row === undefined) throw notFound('product', id)
  return describeAdjusted(request, row)
}

function describeAdjusted({ delta }: AdjustmentRequest, row: AdjustedStock): Inventory {
  const { is_applied, inventory_updated_at, ...stock } = row
  if (!is_applied || inventory_updated_at === null) throw explainRejection(delta, row)
  return describeStock(stock, inventory_updated_at)
}

function explainRejection(delta: number, { quantity, is_computed }: AdjustedStock): Problem {
  if (is_computed) return stockIsComputed()
  if (Math.abs(quantity + delta) > productLimits.stock) {
    const message = `would take the quantity of ${quantity} beyond the limit of ${productLimits.stock}`
    return new Problem('invalid_body', { errors: [{ pointer: '/delta', code: 'too_large', message }] })
  }
  return new Problem('insufficient_stock', {
    detail: `The quantity is ${quantity}; adding ${delta} would make it negative, and the product does not allow backorders.`,
  })
}
