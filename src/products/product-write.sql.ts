import type { Queryable, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { ProductRow } from './describe-product.ts'
import type { Stock, StockLevels } from './inventory.ts'
import { ownColumns } from './product.sql.ts'
import type { Content } from './product-content.ts'
import { searchText } from './search-text.ts'

/*
 * The lock rule: the product's row is locked before its links, attributes or stock are touched, by lockProduct or by the
 * update itself, which the rest of its statement reads from. Whatever is counted or derived from a product depends on no two writers of one product overlapping.
 */

/** Who changed a product, and by which way in. */
export type Author = { actor: string; source: 'api' | 'bulk' | 'cli' | 'console' }

/** A row without its categories, which the writer knows. */
export type OwnRow = Omit<ProductRow, 'categories'>

export type ProductChange = {
  content: Content
  quality: { score: number; failed: string[] }
  rulesVersion: number
  history: { before: object; after: object }
}

/**
 * The row, its links where they change, and its history in one statement; undefined when the row is no longer at the version
 * that the change was made for. Its time is later than that of the version before.
 */
export async function updateProductRow(
  database: Queryable,
  { project: projectId, id, version }: Pick<ProductRow, 'project' | 'id' | 'version'>,
  author: Author,
  { content, quality, rulesVersion, history }: ProductChange,
): Promise<OwnRow | undefined> {
  const [row] = await database.query(sql<OwnRow>`
    with changed as (
      update products set
        sku = ${content.sku}, name = ${content.name}, search_text = ${searchText(content)}, description = ${content.description},
        short_description = ${content.short_description}, price = ${content.price}, status = ${content.status},
        product_type = ${content.product_type}, attributes = ${JSON.stringify(content.attributes)},
        tracked = ${content.inventory.tracked}, low_stock_threshold = ${content.inventory.low_stock_threshold},
        backorders = ${content.inventory.backorders}, category_ids = ${content.categories.map(({ id }) => id)},
        quality_score = ${quality.score}, quality_failed = ${quality.failed}, quality_rules_version = ${rulesVersion},
        quality_computed_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond'),
        updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond'),
        version = version + 1
      where project_id = ${projectId} and id = ${id} and version = ${version}
      returning *
    ) ${'categories' in history.after ? changedLinks : sql``}, told as (
      insert into product_history (project_id, product_id, version, changed_at, actor, source, before, after)
      select project_id, id, version, updated_at, ${author.actor}, ${author.source},
             ${JSON.stringify(history.before)}::jsonb, ${JSON.stringify(history.after)}::jsonb
      from changed
    )
    select ${ownColumns} from changed as product`)
  return row
}

const changedLinks = sql`, dropped as (
      delete from product_categories as link using changed
      where link.project_id = changed.project_id and link.product_id = changed.id
        and link.category_id <> all(changed.category_ids)
    ), linked as (
      insert into product_categories (project_id, product_id, category_id, status, product_type)
      select project_id, id, unnest(category_ids), status, product_type from changed
      on conflict (project_id, product_id, category_id) do nothing
    )`

export type StockRow = Stock & { inventory_updated_at: string }

/** Adds to the quantity unless that would owe what may not be owed, or pass what we count; undefined then. */
export async function addToStock(
  tx: Transaction,
  projectId: number,
  id: number,
  delta: number,
): Promise<StockRow | undefined> {
  const [row] = await tx.query(sql<StockRow>`
    update products set quantity = quantity + ${delta}::bigint, inventory_updated_at = clock_timestamp()
    where project_id = ${projectId} and id = ${id} and (quantity + ${delta}::bigint >= 0 or backorders)
      and abs(quantity + ${delta}::bigint) <= 1000000000000
    returning tracked, quantity, reserved, low_stock_threshold, backorders, inventory_updated_at`)
  return row
}

export async function setStock(
  tx: Transaction,
  projectId: number,
  id: number,
  levels: StockLevels,
): Promise<void> {
  await tx.query(sql`
    update products
    set quantity = ${levels.quantity}, reserved = ${levels.reserved}, inventory_updated_at = clock_timestamp()
    where project_id = ${projectId} and id = ${id}`)
}

export type Adjustment = { delta: number; quantity: number; reason: string }

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
