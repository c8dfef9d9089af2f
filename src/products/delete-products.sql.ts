import type { Queryable, Transaction } from '../database/database.ts'
import { raw, sql } from '../database/sql.ts'

/** What hangs on a product. It goes before the product does: the database keeps a product that something still refers to. */
export const productTables = [
  'inventory_adjustments',
  'product_history',
  'product_categories',
  'product_references',
] as const

/** Deletes products that the transaction has locked, with all that hangs on them. The triggers of the tables keep the counts exact. */
export async function deleteProducts(tx: Transaction, projectId: number, ids: number[]): Promise<void> {
  for (const table of productTables)
    await tx.query(sql`
      delete from ${raw(table)} where project_id = ${projectId} and product_id = any(${ids}::bigint[])`)
  await tx.query(sql`delete from products where project_id = ${projectId} and id = any(${ids}::bigint[])`)
}

/** The next products after an id, locked until the transaction ends. */
export async function lockProductsAfter(
  tx: Transaction,
  projectId: number,
  id: number,
  limit: number,
): Promise<number[]> {
  const rows = await tx.query(sql<{ id: number }>`
    select id from products where project_id = ${projectId} and id > ${id} order by id limit ${limit} for update`)
  return rows.map((row) => row.id)
}

/** Deletes the kept answers to repeated requests that tell of a product, and returns how many there were. */
export async function deleteAnswersOf(database: Queryable, projectId: number, id: number): Promise<number> {
  const rows = await database.query(sql`
    delete from idempotency_keys
    where project_id = ${projectId} and method = 'POST'
      and (path = '/products' and body ->> 'id' = ${String(id)} or starts_with(path, ${`/products/${id}/`}))
    returning 1`)
  return rows.length
}
