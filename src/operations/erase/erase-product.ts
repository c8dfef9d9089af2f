import { type Actor, insertAuditEntry } from '../../access/audit/audit.sql.ts'
import {
  findProductBySku,
  findProducts,
  lockProduct,
  productKey,
} from '../../catalog/products/product.sql.ts'
import { closeErasedLines } from '../../catalog/proposals/close-erased-lines.ts'
import { lockErasure } from '../../catalog/proposals/proposal.sql.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { deleteAnswersOf, deleteProducts, forgetProposals } from './delete-products.sql.ts'

type Key = { id: number } | { sku: string }

/** The product, if it may be erased: an archived one. */
export async function requireErasable(
  database: Queryable,
  projectId: number,
  key: Key,
): Promise<{ id: number; sku: string; name: string }> {
  const row =
    'sku' in key
      ? await findProductBySku(database, projectId, key.sku)
      : (await findProducts(database, [{ projectId, ...key }])).get(productKey({ projectId, ...key }))
  return refuseUnarchived(projectId, key, row)
}

function refuseUnarchived(projectId: number, key: Key, row: ProductRow | undefined): ProductRow {
  if (row === undefined) {
    const named = 'id' in key ? `product ${key.id}` : `product with the SKU "${key.sku}"`
    throw new Error(`there is no ${named} in project ${projectId}`)
  }
  const { id, sku, status } = row
  if (status === 'archived') return row
  throw new Error(
    `product ${id} (${sku}) is ${status}; archive it first: PATCH /v2/products/${id} {"status": "archived"}`,
  )
}

/** Deletes an archived product as if it had never been. The audit trail keeps its id and SKU, and no content. */
export function eraseProduct(
  database: Database,
  actor: Actor,
  projectId: number,
  id: number,
): Promise<{ id: number; sku: string }> {
  return database.transaction(async (tx) => {
    await lockErasure(tx, projectId, true)
    const { sku } = refuseUnarchived(projectId, { id }, await lockProduct(tx, projectId, { id }))
    await deleteProducts(tx, projectId, [id])
    await deleteAnswersOf(tx, projectId, id)
    await closeErasedLines(tx, projectId, actor, await forgetProposals(tx, projectId, id, sku))
    await insertAuditEntry(tx, actor, {
      action: 'product.erase',
      projectId,
      target: `product ${id}`,
      details: { id, sku },
    })
    return { id, sku }
  })
}
