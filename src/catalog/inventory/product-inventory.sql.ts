import { productLimits } from '../../model/limits/products.ts'
import type { Stock } from '../../model/product/stock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type Statement, sql, write } from '../../platform/database/sql.ts'
import { jsonRows } from '../../platform/database/statements/json-rows.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import { freeRows } from '../products/write-products.sql.ts'
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

/** The stock of a product after an adjustment. */
export type AdjustedStock = Stock & { inventory_updated_at: string }

type Adjustment = { projectId: number; id: number; delta: number; reason: string; author: Author }

/** What the adjustments of a product add in total, and the lowest and highest sum on the way. */
type Sums = { id: number; total: number; lowest: number; highest: number }

/**
 * Adjusts products of one project in one statement, in the given order. Returns undefined for the adjustments of a product whose stock is
 * computed, or with which one of them would make it negative without backorders or exceed the limit. Waits for rows that another writer
 * has locked, or skips them.
 */
export async function addToStock(
  queryable: Queryable,
  adjustments: readonly Adjustment[],
  { skipsLocked }: { skipsLocked: boolean },
): Promise<(AdjustedStock | undefined)[]> {
  const projectId = adjustments[0]?.projectId as number
  const products = new Map<number, Sums>()
  const lines = adjustments.map(({ id, delta, reason, author: { actor, source } }, number) => {
    const { total, lowest, highest } = products.get(id) ?? startOfSums
    const sum = total + delta
    products.set(id, { id, total: sum, lowest: Math.min(lowest, sum), highest: Math.max(highest, sum) })
    return { number, id, delta, sum, reason, actor, source }
  })
  const rows = await queryable.query(
    write(adjustment(projectId, [...products.values()], lines, skipsLocked), projectId),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return lines.map(({ id, sum }) => {
    const row = byId.get(id)
    return row && { ...row, quantity: row.before + sum }
  })
}

const startOfSums = { total: 0, lowest: Number.POSITIVE_INFINITY, highest: Number.NEGATIVE_INFINITY }
const { stock: limit } = productLimits

function adjustment(
  projectId: number,
  products: readonly Sums[],
  lines: readonly object[],
  skipsLocked: boolean,
): Statement<Omit<AdjustedStock, 'quantity'> & { id: number; before: number }> {
  return sql`
    with input as materialized (
      select ${projectId}::bigint as project_id, (line ->> 'id')::bigint as id, (line ->> 'total')::bigint as total,
             (line ->> 'lowest')::bigint as lowest, (line ->> 'highest')::bigint as highest
      from ${jsonRows(products)}
    ) ${skipsLocked ? freeRows : sql``}, changed as (
      update products as product set quantity = product.quantity + input.total, inventory_updated_at = clock_timestamp()
      from input ${skipsLocked ? sql`join free using (id)` : sql``}
      where product.project_id = input.project_id and product.id = input.id
        and (product.quantity + input.lowest >= 0 or product.backorders)
        and product.quantity + input.lowest >= ${-limit}::bigint and product.quantity + input.highest <= ${limit}::bigint
        and not ${stockFollows}
      returning product.project_id, product.id, product.tracked, product.reserved, product.low_stock_threshold, product.backorders,
                product.inventory_updated_at, product.quantity - input.total as before
    ), recorded as (
      insert into inventory_adjustments (project_id, product_id, delta, quantity, reason, actor, source)
      select project_id, id, (line ->> 'delta')::bigint, before + (line ->> 'sum')::bigint,
             line ->> 'reason', line ->> 'actor', line ->> 'source'
      from ${jsonRows(lines)} join changed on id = (line ->> 'id')::bigint order by (line ->> 'number')::int
    )
    select id, tracked, before, reserved, low_stock_threshold, backorders, inventory_updated_at from changed`
}
