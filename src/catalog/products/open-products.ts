import { batchReads } from '../../platform/database/batching/batch-reads.ts'
import type { Database } from '../../platform/database/database.ts'
import { productCreator } from './create-product.ts'
import { productRead } from './product.sql.ts'
import { productUpdater } from './update-product.ts'

export type Products = ReturnType<typeof openProducts>

/** Reads and writes of single products. Concurrent ones share a statement. */
export function openProducts(database: Database) {
  return {
    find: batchReads(database, productRead),
    create: productCreator(database),
    ...productUpdater(database),
  }
}
