import type { Queryable, Transaction } from '../database/database.ts'
import { type Page, type PageRequest, selectPage } from '../database/paged.ts'
import { join, type Sql, sql } from '../database/sql.ts'
import type { ProductRow } from './describe-product.ts'
import type { Stock } from './inventory.ts'
import type { Product, ProductDetail, ProductQuery } from './product.schema.ts'

const itemColumns = sql`id, sku, name, status, product_type, created_at, project_id as project`

const detailColumns = sql`
  product.id, product.project_id as project, product.sku, product.name, product.description, product.short_description,
  product.price, product.status, product.product_type, product.attributes, product.version,
  product.created_at, product.updated_at,
  product.tracked, product.quantity, product.reserved, product.low_stock_threshold, product.backorders,
  product.inventory_updated_at, product.quality_score, product.quality_failed, product.quality_computed_at,
  coalesce((
    select json_agg(json_build_object('id', category.id, 'name', category.name) order by link.position)
    from product_categories as link
    join categories as category on category.project_id = link.project_id and category.id = link.category_id
    where link.project_id = product.project_id and link.product_id = product.id
  ), '[]') as categories`

export function listProducts(
  database: Queryable,
  projectId: number,
  filters: ProductQuery,
  orderBy: Sql,
  page: PageRequest,
): Promise<Page<Product>> {
  return selectPage(database, {
    columns: itemColumns,
    from: sql`products`,
    where: matching(projectId, filters),
    orderBy,
    page,
  })
}

function matching(projectId: number, { project, status, product_type, category, sku }: ProductQuery): Sql {
  const conditions = [sql`project_id = ${projectId}`]
  if (project !== undefined) conditions.push(sql`project_id = ${project}`)
  if (status !== undefined) conditions.push(sql`status = ${status}`)
  if (product_type !== undefined) conditions.push(sql`product_type = ${product_type}`)
  if (sku !== undefined) conditions.push(sql`sku = ${sku}`)
  if (category !== undefined) {
    conditions.push(sql`exists (
      select from product_categories as link
      where link.project_id = products.project_id and link.product_id = products.id and link.category_id = ${category})`)
  }
  return join(conditions, ' and ')
}

export type ProductKey = { projectId: number; id: number }

export function productKey({ projectId, id }: ProductKey): string {
  return `${projectId}/${id}`
}

/** Many products of many projects in one statement: what the requests of one turn ask for. */
export async function findProducts(
  database: Queryable,
  keys: ProductKey[],
): Promise<Map<string, ProductRow>> {
  const projects = keys.map(({ projectId }) => projectId)
  const ids = keys.map(({ id }) => id)
  const rows = await database.query(sql<ProductRow>`
    select ${detailColumns}
    from unnest(${projects}::bigint[], ${ids}::bigint[]) as wanted (project_id, id)
    join products as product on product.project_id = wanted.project_id and product.id = wanted.id`)
  return new Map(rows.map((row) => [productKey({ projectId: row.project, id: row.id }), row]))
}

export async function findProductIdBySku(
  database: Queryable,
  projectId: number,
  sku: string,
): Promise<number | undefined> {
  const [row] = await database.query(
    sql<{ id: number }>`select id from products where project_id = ${projectId} and sku = ${sku}`,
  )
  return row?.id
}

/** A product ready to be written, everything derived already. */
export type ProductToInsert = Pick<
  ProductDetail,
  'sku' | 'name' | 'description' | 'short_description' | 'price' | 'status' | 'product_type' | 'attributes'
> &
  Stock & { category_ids: number[]; quality_score: number; quality_failed: string[]; history: object }

/** Who changed a product, and by which way in. */
export type Author = { actor: string; source: 'api' | 'bulk' | 'cli' | 'console' }

/** Products, category links and history in one statement. A SKU that exists is left out of what it returns. */
export function insertProducts(
  tx: Transaction,
  projectId: number,
  rulesVersion: number,
  author: Author,
  products: ProductToInsert[],
) {
  return tx.query(sql<{ id: number; sku: string }>`
    with input as (
      select * from json_to_recordset(${JSON.stringify(products)}::json) as input (
        sku text, name text, description text, short_description text, price numeric, status text, product_type text,
        attributes jsonb, tracked boolean, quantity bigint, reserved bigint, low_stock_threshold bigint, backorders boolean,
        category_ids bigint[], quality_score smallint, quality_failed text[], history jsonb)
    ), inserted as (
      insert into products (project_id, sku, name, description, short_description, price, status, product_type, attributes,
                            tracked, quantity, reserved, low_stock_threshold, backorders,
                            quality_score, quality_failed, quality_rules_version)
      select ${projectId}, sku, name, description, short_description, price, status, product_type, attributes,
             tracked, quantity, reserved, low_stock_threshold, backorders,
             quality_score, quality_failed, ${rulesVersion}
      from input
      on conflict (project_id, sku) do nothing
      returning id, sku, version, created_at
    ), links as (
      insert into product_categories (project_id, product_id, category_id, position)
      select ${projectId}, inserted.id, category.id, category.position
      from inserted join input using (sku), unnest(input.category_ids) with ordinality as category (id, position)
    ), told as (
      insert into product_history (project_id, product_id, version, changed_at, actor, source, after)
      select ${projectId}, inserted.id, inserted.version, inserted.created_at, ${author.actor}, ${author.source}, input.history
      from inserted join input using (sku)
    )
    select id, sku from inserted`)
}
