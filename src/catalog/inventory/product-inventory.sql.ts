import { productLimits } from '../../model/limits/products.ts'
import type { Stock } from '../../model/product/stock.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import type { Author } from '../products/write-products.ts'
import { stockFollows } from '../structure/structure.sql.ts'
import type { StoredAdjustment } from './product-inventory.schema.ts'

export function listAdjustments(
  database: Queryable,
  projectId: number,
  productId: number,
  page: PageRequest,
): Promise<Page<StoredAdjustment>> {
  return selectPage(database, {
    columns: sql`id, delta, quantity, reason, actor, source, created_at`,
    from: sql`inventory_adjustments`,
    where: sql`project_id = ${projectId} and product_id = ${productId}`,
    orderBy: sql`id desc`,
    page,
  })
}

export type StockRow = Stock & { inventory_updated_at: string }

/** Undefined, without a change, if the stock is computed, would be negative without backorders, or would exceed the limit. */
export async function addToStock(
  tx: Transaction,
  projectId: number,
  id: number,
  delta: number,
): Promise<StockRow | undefined> {
  const [row] = await tx.query(sql<StockRow>`
    update products as product set quantity = quantity + ${delta}::bigint, inventory_updated_at = clock_timestamp()
    where project_id = ${projectId} and id = ${id} and (quantity + ${delta}::bigint >= 0 or backorders)
      and abs(quantity + ${delta}::bigint) <= ${productLimits.stock}::bigint and not ${stockFollows}
    returning tracked, quantity, reserved, low_stock_threshold, backorders, inventory_updated_at`)
  return row
}

type Adjustment = { delta: number; quantity: number; reason: string }

export async function insertAdjustment(
  tx: Transaction,
  projectId: number,
  id: number,
  author: Author,
  adjustment: Adjustment,
): Promise<void> {
  await tx.query(sql`
    insert into inventory_adjustments (project_id, product_id, delta, quantity, reason, actor, source)
    values (${projectId}, ${id}, ${adjustment.delta}, ${adjustment.quantity}, ${adjustment.reason}, ${author.actor}, ${author.source})`)
}
