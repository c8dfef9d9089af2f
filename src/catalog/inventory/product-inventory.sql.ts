import { productLimits } from '../../model/limits/products.ts'
import type { Stock } from '../../model/product/stock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type Statement, sql, write } from '../../platform/database/sql.ts'
import { jsonRows } from '../../platform/database/statements/json-rows.ts'
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

/** The stock of a product after an adjustment, which is applied unless a limit or a computed stock prevents it. */
export type AdjustedStock = Stock & {
  is_applied: boolean
  is_computed: boolean
  /** Null if no adjustment of the product is applied. */
  inventory_updated_at: string | null
}

type Adjustment = { projectId: number; id: number; delta: number; reason: string; author: Author }

/**
 * Adjusts products of one project in one statement, each adjustment after the ones before it. Returns undefined for products that do not
 * exist. Waits for rows that another writer has locked, or returns undefined for them, too.
 */
export async function addToStock(
  queryable: Queryable,
  adjustments: readonly Adjustment[],
  { skipsLocked }: { skipsLocked: boolean },
): Promise<(AdjustedStock | undefined)[]> {
  const projectId = adjustments[0]?.projectId as number
  const places = new Map<number, number>()
  const lines = adjustments.map(({ id, delta, reason, author: { actor, source } }, number) => {
    const place = 1 + (places.get(id) ?? 0)
    places.set(id, place)
    return { number, id, place, delta, reason, actor, source }
  })
  const rows = await queryable.query(write(adjustInOrder(projectId, lines, skipsLocked), projectId))
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  return lines.map(({ number }) => byNumber.get(number))
}

/** Locks the products in ID order. The project is part of both joins, because a plan could otherwise scan all products of the project. */
function adjustInOrder(
  projectId: number,
  lines: readonly object[],
  skipsLocked: boolean,
): Statement<AdjustedStock & { number: number }> {
  const { stock: limit } = productLimits
  return sql`
    with recursive input as materialized (
      select (line ->> 'number')::int as number, (line ->> 'id')::bigint as id, (line ->> 'place')::int as place,
             (line ->> 'delta')::bigint as delta, line ->> 'reason' as reason, line ->> 'actor' as actor, line ->> 'source' as source
      from ${jsonRows(lines)}
    ), held as materialized (
      select id, tracked, quantity, reserved, low_stock_threshold, backorders, ${stockFollows} as is_computed
      from (select distinct ${projectId}::bigint as project_id, id from input) as wanted
      join products as product using (project_id, id)
      order by id for no key update of product ${skipsLocked ? sql`skip locked` : sql``}
    ), step as (
      select 0 as place, id, -1 as number, quantity, false as is_applied from held
      union all
      select input.place, id, input.number, case when own.is_applied then own.quantity else step.quantity end, own.is_applied
      from step join held using (id) join input using (id)
      cross join lateral (
        select after.quantity, not is_computed and (after.quantity >= 0 or backorders) and abs(after.quantity) <= ${limit}::bigint as is_applied
        from (select step.quantity + input.delta as quantity) as after
      ) as own
      where input.place = step.place + 1
    ), changed as (
      update products as product set quantity = last.quantity, inventory_updated_at = clock_timestamp()
      from (
        select distinct on (id) ${projectId}::bigint as project_id, id, quantity from step where is_applied order by id, place desc
      ) as last
      where product.project_id = last.project_id and product.id = last.id
      returning product.id, inventory_updated_at
    ), recorded as (
      insert into inventory_adjustments (project_id, product_id, delta, quantity, reason, actor, source)
      select ${projectId}, step.id, delta, quantity, reason, actor, source
      from changed join step using (id) join input using (number) where is_applied order by number
    )
    select number, is_applied, is_computed, tracked, step.quantity, reserved, low_stock_threshold, backorders, inventory_updated_at
    from step join held using (id) left join changed using (id) where place > 0`
}
