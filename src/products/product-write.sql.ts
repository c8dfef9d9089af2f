import type { Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Stock, StockLevels } from './inventory.ts'
import type { Content } from './product-content.ts'
import { searchText } from './search-text.ts'

/*
 * The lock rule: the product's row is locked before its links, attributes or stock are touched, by lockProduct or by the
 * update itself. Whatever is counted or derived from a product depends on no two writers of one product overlapping.
 */

/** Who changed a product, and by which way in. */
export type Author = { actor: string; source: 'api' | 'bulk' | 'cli' | 'console' }

/** A product ready to be written, everything derived already. */
export type ProductToInsert = Omit<Content, 'categories' | 'inventory'> &
  Stock & {
    search_text: string
    category_ids: number[]
    quality_score: number
    quality_failed: string[]
    history: Content
  }

/** Products, category links and history in one statement. A SKU that exists is left out of what it returns. */
export function insertProducts(
  tx: Transaction,
  projectId: number,
  rulesVersion: number,
  author: Author,
  products: ProductToInsert[],
): Promise<{ id: number; sku: string }[]> {
  return tx.query(sql<{ id: number; sku: string }>`
    with input as (
      select * from json_to_recordset(${JSON.stringify(products)}::json) as input (
        sku text, name text, search_text text, description text, short_description text, price numeric, status text, product_type text,
        attributes jsonb, tracked boolean, quantity bigint, reserved bigint, low_stock_threshold bigint, backorders boolean,
        category_ids bigint[], quality_score smallint, quality_failed text[], history jsonb)
    ), inserted as (
      insert into products (project_id, sku, name, search_text, description, short_description, price, status, product_type, attributes,
                            tracked, quantity, reserved, low_stock_threshold, backorders,
                            quality_score, quality_failed, quality_rules_version)
      select ${projectId}, sku, name, search_text, description, short_description, price, status, product_type, attributes,
             tracked, quantity, reserved, low_stock_threshold, backorders,
             quality_score, quality_failed, ${rulesVersion}
      from input
      on conflict (project_id, sku) do nothing
      returning id, sku, version, created_at
    ), links as (
      insert into product_categories (project_id, product_id, category_id, position, status, product_type)
      select ${projectId}, inserted.id, category.id, category.position, input.status, input.product_type
      from inserted join input using (sku), unnest(input.category_ids) with ordinality as category (id, position)
    ), told as (
      insert into product_history (project_id, product_id, version, changed_at, actor, source, after)
      select ${projectId}, inserted.id, inserted.version, inserted.created_at, ${author.actor}, ${author.source}, input.history
      from inserted join input using (sku)
    )
    select id, sku from inserted`)
}

export type ProductChange = {
  content: Content
  quality: { score: number; failed: string[] }
  rulesVersion: number
  history: { before: object; after: object }
}

/** The row, its links and its history in one statement. Its time is later than that of the version before. */
export async function updateProductRow(
  tx: Transaction,
  projectId: number,
  id: number,
  author: Author,
  change: ProductChange,
): Promise<void> {
  const { content, quality, rulesVersion, history } = change
  const categoryIds = content.categories.map((category) => category.id)
  await tx.query(sql`
    with changed as (
      update products set
        sku = ${content.sku}, name = ${content.name}, search_text = ${searchText(content)}, description = ${content.description},
        short_description = ${content.short_description}, price = ${content.price}, status = ${content.status},
        product_type = ${content.product_type}, attributes = ${JSON.stringify(content.attributes)},
        tracked = ${content.inventory.tracked}, low_stock_threshold = ${content.inventory.low_stock_threshold},
        backorders = ${content.inventory.backorders},
        quality_score = ${quality.score}, quality_failed = ${quality.failed}, quality_rules_version = ${rulesVersion},
        quality_computed_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond'),
        updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond'),
        version = version + 1
      where project_id = ${projectId} and id = ${id}
      returning version, updated_at
    ), dropped as (
      delete from product_categories
      where project_id = ${projectId} and product_id = ${id} and category_id <> all(${categoryIds}::bigint[])
    ), linked as (
      insert into product_categories (project_id, product_id, category_id, position, status, product_type)
      select ${projectId}, ${id}, category.id, category.position, ${content.status}, ${content.product_type}
      from unnest(${categoryIds}::bigint[]) with ordinality as category (id, position)
      on conflict (project_id, product_id, category_id) do update set position = excluded.position
      where product_categories.position <> excluded.position
    )
    insert into product_history (project_id, product_id, version, changed_at, actor, source, before, after)
    select ${projectId}, ${id}, version, updated_at, ${author.actor}, ${author.source},
           ${JSON.stringify(history.before)}::jsonb, ${JSON.stringify(history.after)}::jsonb
    from changed`)
}

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
