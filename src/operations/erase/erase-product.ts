import { type Actor, insertAuditEntry } from '../../access/audit/audit.sql.ts'
import {
  findProductBySku,
  findProducts,
  lockProduct,
  productKey,
} from '../../catalog/products/product.sql.ts'
import { closeErasedLines } from '../../catalog/proposals/close-erased-lines.ts'
import { lockErasure } from '../../catalog/proposals/proposal.sql.ts'
import { eraseFromRuns } from '../../catalog/runs/run-call.sql.ts'
import { markUnrecordedChange } from '../../model/freshness/unrecorded-change.sql.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { deleteProducts, deleteStoredResponses, eraseFromProposals } from './delete-products.sql.ts'

type Key = { id: number } | { sku: string }

/** Returns the product, which must be archived. */
export async function requireErasable(
  database: Queryable,
  projectId: number,
  key: Key,
): Promise<{ id: number; sku: string; name: string }> {
  const row =
    'sku' in key
      ? await findProductBySku(database, projectId, key.sku)
      : (await findProducts(database, [{ projectId, ...key }])).get(productKey({ projectId, ...key }))
  return requireArchived(projectId, key, row)
}

function requireArchived(projectId: number, key: Key, row: ProductRow | undefined): ProductRow {
  if (row === undefined) {
    const named = 'id' in key ? `product ${key.id}` : `product with the SKU "${key.sku}"`
    throw new Error(`project ${projectId} has no ${named}`)
  }
  const { id, sku, status } = row
  if (status === 'archived') return row
  throw new Error(
    `product ${id} (${sku}) is ${status}; archive it first: PATCH /v2/products/${id} {"status": "archived"}`,
  )
}

/** Deletes an archived product completely. The audit trail retains its ID and SKU, but no content. */
export function eraseProduct(
  database: Database,
  actor: Actor,
  projectId: number,
  id: number,
): Promise<{ id: number; sku: string }> {
  return database.transaction(async (tx) => {
    await lockErasure(tx, projectId, true)
    await markUnrecordedChange(tx, [projectId])
    const { sku } = requireArchived(projectId, { id }, await lockProduct(tx, projectId, { id }))
    await deleteProducts(tx, projectId, [id])
    await deleteStoredResponses(tx, projectId, id)
    await eraseFromRuns(tx, projectId, id)
    await closeErasedLines(tx, projectId, actor, await eraseFromProposals(tx, projectId, id, sku))
    await insertAuditEntry(tx, actor, {
      action: 'product.erase',
      projectId,
      target: `product ${id}`,
      details: { id, sku },
    })
    return { id, sku }
  })
}
