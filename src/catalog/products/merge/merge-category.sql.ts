import type { ProductRow } from '../../../model/product/product-row.ts'
import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { findProducts } from '../product.sql.ts'
import type { Returned } from '../write-products.sql.ts'

/** Returns no columns of the written rows. */
export const returnNothing: Returned<object> = { names: [], columns: sql`1 as written`, read: (row) => row }

/** Some products of a category, locked in ID order, as pushes lock them. */
export async function lockProductsOf(
  tx: Transaction,
  projectId: number,
  categoryId: number,
  limit: number,
): Promise<ProductRow[]> {
  const locked = await tx.query(sql<{ id: number }>`
    with linked as materialized (
      select product_id from product_categories
      where project_id = ${projectId} and category_id = ${categoryId} order by product_id limit ${limit}
    )
    select product.id from products as product
    where product.project_id = ${projectId} and product.id in (select product_id from linked)
    order by product.id for no key update`)
  if (locked.length === 0) return []
  // Two statements: a single one would read from the snapshot before the wait for the lock.
  const rows = await findProducts(
    tx,
    locked.map(({ id }) => ({ projectId, id })),
  )
  return [...rows.values()]
}

export async function childrenWithTakenNames(
  database: Queryable,
  projectId: number,
  id: number,
  into: number,
): Promise<string[]> {
  const rows = await database.query(sql<{ name: string }>`
    select child.name from categories as child
    join categories as other on other.project_id = child.project_id and other.parent_id = ${into} and other.name = child.name
    where child.project_id = ${projectId} and child.parent_id = ${id} and child.id <> ${into} and other.id <> ${id}
    order by child.name limit 10`)
  return rows.map(({ name }) => name)
}

/** Prevents new categories below them until the transaction ends, so that their depth does not change. */
export async function lockWithChildren(tx: Transaction, projectId: number, id: number): Promise<void> {
  await tx.query(sql`
    select from categories where project_id = ${projectId} and (id = ${id} or parent_id = ${id}) order by id for update`)
}

/** Frees the name for a subcategory with the same name that takes its place. The category is deleted in the same transaction. */
export async function freeName(tx: Transaction, projectId: number, id: number): Promise<void> {
  await tx.query(sql`
    update categories set name = gen_random_uuid()::text where project_id = ${projectId} and id = ${id}`)
}

export async function moveChildren(
  tx: Transaction,
  projectId: number,
  id: number,
  into: number,
): Promise<{ id: number; updated_at: string }[]> {
  return tx.query(sql<{ id: number; updated_at: string }>`
    update categories set parent_id = ${into}, updated_at = clock_timestamp()
    where project_id = ${projectId} and parent_id = ${id} returning id, updated_at`)
}
