import { batchReads } from '../../platform/database/batching/batch-reads.ts'
import type { Database } from '../../platform/database/database.ts'
import { productCreator } from './create-product.ts'
import { productRead } from './product.sql.ts'
import { productUpdater } from './update-product.ts'

export type Products = ReturnType<typeof openProducts>

/** Reads and writes of single products. Concurrent ones share a statement. */
export function openProducts(database: Database) {
  const find = batchReads(database, productRead)
  return { find, create: productCreator(database), ...productUpdater(database, find) }
}
