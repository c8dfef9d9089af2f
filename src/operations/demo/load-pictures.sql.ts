import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export type Item = { url: string; kind?: string; alt?: string; title?: string }

/** The first products with a picture that is not loaded yet. */
export function listProductsWithAddresses(
  database: Queryable,
  projectId: number,
  limit: number,
): Promise<{ id: number; sku: string; media: Item[] }[]> {
  return database.query(sql<{ id: number; sku: string; media: Item[] }>`
    select id, sku, media from products
    where project_id = ${projectId} and media::text ~ 'https://images\.example/[^"]+-[12]\.jpg'
    order by id limit ${limit}`)
}

/** Whether the project has more unfinished images than that. */
export async function hasUnfinishedImages(
  database: Queryable,
  projectId: number,
  limit: number,
): Promise<boolean> {
  const rows = await database.query(sql`
    select from assets where project_id = ${projectId} and state = 'processing' limit ${limit + 1}`)
  return rows.length > limit
}

/** Backdates the last change of products to shortly after the one before it, so that the demo's activity stays in the past. */
export async function backdateLastChange(
  tx: Queryable,
  projectId: number,
  ids: readonly number[],
): Promise<void> {
  await tx.query(sql`
    with changed as (
      update product_history as change set changed_at = least(now(), before.changed_at + interval '3 minutes')
      from product_history as before, products as product
      where product.project_id = ${projectId} and product.id = any(${ids}::bigint[])
        and change.project_id = product.project_id and change.product_id = product.id and change.version = product.version
        and before.project_id = product.project_id and before.product_id = product.id and before.version = product.version - 1
      returning change.product_id, change.changed_at
    )
    update products as product set updated_at = changed.changed_at, quality_computed_at = changed.changed_at
    from changed where product.project_id = ${projectId} and product.id = changed.product_id`)
}
