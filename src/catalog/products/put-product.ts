import type { NewProduct } from '../../model/product/product-input.schema.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import { negativeQuantity } from '../../model/product/stock.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { readOnlyInCreate } from '../../platform/http/body/read-only-fields.ts'
import { Problem } from '../../platform/http/problems.ts'
import { requireMatch } from '../../platform/http/response/etag.ts'
import { repeat } from '../../platform/scheduling/retry.ts'
import { writeLimits } from '../limits.ts'
import { explainDuplicate } from '../structure/duplicate-variant.ts'
import { tryToCreate } from './create-product.ts'
import type { Target } from './plan-change.ts'
import { lockProduct } from './product.sql.ts'
import { replaceLocked } from './update-product.ts'

type Conditions = Pick<Target, 'ifMatch'> & { ifNoneMatch: string | undefined }

/** Replaces the product that has this SKU, or creates it. */
export function putProduct(
  database: Database,
  { ifNoneMatch, ...target }: Omit<Target, 'id'> & Conditions,
  input: NewProduct,
): Promise<{ row: ProductRow; created: boolean }> {
  const { projectId, author, ruleset, ifMatch, isStrict = false, readOnly } = target
  const put = async (tx: Transaction) => {
    const written = await repeat({ attempts: writeLimits.putAttempts }, async () => {
      const row = await lockProduct(tx, projectId, { sku: input.sku })
      requireMatch(ifMatch, row?.version)
      if (row !== undefined) {
        if (ifNoneMatch?.trim() === '*')
          throw new Problem('precondition_failed', { detail: `Product ${row.id} already has this SKU.` })
        return {
          row: await replaceLocked(tx, { ...target, id: row.id }, row, input),
          created: false,
        }
      }
      if (readOnly !== undefined)
        throw new Problem('invalid_body', { errors: readOnlyInCreate(readOnly.sent) })
      if ((input.inventory?.quantity ?? 0) < 0) throw negativeQuantity()
      const newRow = await tryToCreate(tx, { projectId, author, ruleset, input, isStrict })
      // Undefined if another writer created it between the lookup and the insert: repeat.
      return newRow && { row: newRow, created: true }
    })
    if (written === undefined) throw new Problem('too_busy')
    return written
  }
  return database
    .transaction(put, { project: projectId })
    .catch((error) => explainDuplicate(database, projectId, input, error))
}
