import type { Queryable } from '../database/database.ts'
import { sql, write } from '../database/sql.ts'
import { fromJson } from './product.sql.ts'
import { ownColumns } from './product-columns.ts'
import type { Content } from './product-content.ts'
import type { Author, OwnRow } from './product-write.sql.ts'
import type { Stock } from './stock.ts'

/** A product ready to be written, everything derived already. */
export type ProductToInsert = Omit<Content, 'categories' | 'inventory'> &
  Stock & {
    search_text: string
    category_ids: number[]
    quality_score: number
    quality_failed: string[]
    history: Content
  }

/**
 * Products, category links and history in one statement. A SKU that exists is left out of what it returns. Numbered in their own
 * order, written in that of their SKUs, so that two who insert the same ones do not block each other.
 */
export async function insertProducts(
  database: Queryable,
  projectId: number,
  rulesVersion: number,
  products: (ProductToInsert & Author)[],
): Promise<OwnRow[]> {
  const rows = await database.query(sql<{ product: OwnRow }>`
    with input as materialized (
      select nextval('products_id_seq') as id, input.* from json_to_recordset(${JSON.stringify(products)}::json) as input (
        sku text, name text, search_text text, description text, short_description text, price numeric, status text, product_type text,
        attributes jsonb, tracked boolean, quantity bigint, reserved bigint, low_stock_threshold bigint, backorders boolean,
        category_ids bigint[], quality_score smallint, quality_failed text[], history jsonb, actor text, source text)
    ), inserted as (
      insert into products (project_id, id, sku, name, search_text, description, short_description, price, status, product_type, attributes,
                            tracked, quantity, reserved, low_stock_threshold, backorders,
                            category_ids, quality_score, quality_failed, quality_rules_version)
      select ${projectId}, id, sku, name, search_text, description, short_description, price, status, product_type, attributes,
             tracked, quantity, reserved, low_stock_threshold, backorders,
             category_ids, quality_score, quality_failed, ${rulesVersion}
      from input order by sku collate "C"
      on conflict (project_id, sku) do nothing
      returning *
    ), links as (
      insert into product_categories (project_id, product_id, category_id, status, product_type)
      select project_id, id, unnest(category_ids), status, product_type from inserted
    ), told as (
      insert into product_history (project_id, product_id, version, changed_at, actor, source, after)
      select ${projectId}, inserted.id, inserted.version, inserted.created_at, input.actor, input.source, input.history
      from inserted join input using (id)
    )
    select to_json(own) as product from (select ${ownColumns} from inserted as product) as own`)
  return rows.map(({ product }) => fromJson(product))
}

/** The same for one product, with all of its row; written apart, because one row costs half as much without the recordset. */
export async function insertProduct(
  database: Queryable,
  projectId: number,
  rulesVersion: number,
  author: Author,
  product: ProductToInsert,
): Promise<OwnRow | undefined> {
  const linked = sql`, links as (
      insert into product_categories (project_id, product_id, category_id, status, product_type)
      select project_id, id, unnest(category_ids), status, product_type from inserted
    )`
  const statement = sql<OwnRow>`
    with inserted as (
      insert into products (project_id, sku, name, search_text, description, short_description, price, status, product_type, attributes,
                            tracked, quantity, reserved, low_stock_threshold, backorders,
                            category_ids, quality_score, quality_failed, quality_rules_version)
      values (${projectId}, ${product.sku}, ${product.name}, ${product.search_text}, ${product.description},
              ${product.short_description}, ${product.price}, ${product.status}, ${product.product_type},
              ${JSON.stringify(product.attributes)}, ${product.tracked}, ${product.quantity}, ${product.reserved},
              ${product.low_stock_threshold}, ${product.backorders},
              ${product.category_ids}, ${product.quality_score}, ${product.quality_failed}, ${rulesVersion})
      on conflict (project_id, sku) do nothing
      returning *
    ) ${product.category_ids.length === 0 ? sql`` : linked}, told as (
      insert into product_history (project_id, product_id, version, changed_at, actor, source, after)
      select project_id, id, version, created_at, ${author.actor}, ${author.source}, ${JSON.stringify(product.history)}::jsonb
      from inserted
    )
    select ${ownColumns} from inserted as product`
  const [row] = await database.query(write(statement, projectId))
  return row
}
