import type { Queryable, Transaction } from '../database/database.ts'
import { sql, write } from '../database/sql.ts'
import type { ProductRow } from './describe-product.ts'
import { fromJson } from './product.sql.ts'
import { ownColumns } from './product-columns.ts'
import type { Content, Differences } from './product-content.ts'
import { searchText } from './search-text.ts'
import type { StockLevels } from './stock.ts'

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
  history: Differences
}

const nextTime = sql`greatest(clock_timestamp(), product.updated_at + interval '1 millisecond')`

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
  const statement = sql<OwnRow>`
    with changed as (
      update products as product set
        sku = ${content.sku}, name = ${content.name}, search_text = ${searchText(content)}, description = ${content.description},
        short_description = ${content.short_description}, price = ${content.price}, status = ${content.status},
        product_type = ${content.product_type}, attributes = ${JSON.stringify(content.attributes)},
        tracked = ${content.inventory.tracked}, low_stock_threshold = ${content.inventory.low_stock_threshold},
        backorders = ${content.inventory.backorders}, category_ids = ${content.categories.map(({ id }) => id)},
        quality_score = ${quality.score}, quality_failed = ${quality.failed}, quality_rules_version = ${rulesVersion},
        quality_computed_at = ${nextTime}, updated_at = ${nextTime}, version = version + 1
      where project_id = ${projectId} and id = ${id} and version = ${version}
      returning *
    ) ${'categories' in history.after ? changedLinks : sql``}, told as (
      insert into product_history (project_id, product_id, version, changed_at, actor, source, before, after)
      select project_id, id, version, updated_at, ${author.actor}, ${author.source},
             ${JSON.stringify(history.before)}::jsonb, ${JSON.stringify(history.after)}::jsonb
      from changed
    )
    select ${ownColumns} from changed as product`
  const [row] = await database.query(write(statement, projectId))
  return row
}

/** A change of a product that leaves its categories as they are. */
export type UnlinkedChange = {
  row: Pick<ProductRow, 'id' | 'version'>
  author: Author
  change: ProductChange
}

/**
 * The same for many products of a project, none twice. Large fields that stay are null in the input, and the project stands in
 * it: else a plan that was kept from when the table was small could walk through the whole project.
 */
export async function updateProductRows(
  database: Queryable,
  projectId: number,
  changes: UnlinkedChange[],
): Promise<OwnRow[]> {
  const rows = await database.query(sql<{ product: OwnRow }>`
    with input as materialized (
      select ${projectId}::bigint as project_id, input.* from json_to_recordset(${JSON.stringify(changes.map(changedRow))}::json) as input (
        id bigint, version integer, sku text, name text, search_text text, description text, short_description text, price numeric,
        status text, product_type text, attributes jsonb, tracked boolean, low_stock_threshold bigint, backorders boolean,
        quality_score smallint, quality_failed text[], rules_version smallint, actor text, source text, before jsonb, after jsonb)
    ), locked as (
      select product.id from input join products as product on product.project_id = input.project_id and product.id = input.id
      -- A row that another writer holds is left out: its change waits apart, and the others do not wait for it.
      order by product.id for no key update of product skip locked
    ), changed as (
      update products as product set
        sku = coalesce(input.sku, product.sku), name = coalesce(input.name, product.name),
        search_text = coalesce(input.search_text, product.search_text),
        description = coalesce(input.description, product.description),
        short_description = coalesce(input.short_description, product.short_description),
        price = input.price, status = input.status, product_type = input.product_type,
        attributes = coalesce(input.attributes, product.attributes),
        tracked = input.tracked, low_stock_threshold = input.low_stock_threshold, backorders = input.backorders,
        quality_score = input.quality_score, quality_failed = input.quality_failed,
        quality_rules_version = input.rules_version,
        quality_computed_at = ${nextTime}, updated_at = ${nextTime}, version = product.version + 1
      from input join locked using (id)
      where product.project_id = input.project_id and product.id = input.id and product.version = input.version
      returning product.*
    ), told as (
      insert into product_history (project_id, product_id, version, changed_at, actor, source, before, after)
      select changed.project_id, changed.id, changed.version, changed.updated_at, input.actor, input.source, input.before, input.after
      from changed join input using (id)
    )
    select to_json(own) as product from (select ${ownColumns} from changed as product) as own`)
  return rows.map(({ product }) => fromJson(product))
}

function changedRow({ row, author, change: { content, quality, rulesVersion, history } }: UnlinkedChange) {
  const { price, status, product_type, inventory } = content
  const { sku, name, description, short_description, attributes } = history.after
  return {
    id: row.id,
    version: row.version,
    sku,
    name,
    ...((sku !== undefined || name !== undefined) && { search_text: searchText(content) }),
    description,
    short_description,
    attributes,
    price,
    status,
    product_type,
    ...inventory,
    quality_score: quality.score,
    quality_failed: quality.failed,
    rules_version: rulesVersion,
    ...author,
    ...history,
  }
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
