import type { Queryable, SnapshotReader } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Stock } from './inventory.ts'
import type { ProductQuery } from './product.schema.ts'
import type { Content } from './product-content.ts'
import { matching } from './product-filters.ts'

/** A product as a push would take it. */
export type ProductLine = Omit<Content, 'categories' | 'inventory'> & {
  categories: { name: string }[]
  inventory: Stock
}

/** Products in the order of their ids, some at a time. */
export function batchesOfLines(
  reader: SnapshotReader,
  projectId: number,
  filters: ProductQuery,
  size: number,
): AsyncGenerator<ProductLine[]> {
  return reader.batches(
    sql<ProductLine>`
      select product.sku, product.name, product.description, product.short_description, product.price, product.status,
             product.product_type,
             coalesce((
               select json_agg(json_build_object('name', category.name) order by array_position(product.category_ids, category.id))
               from categories as category
               where category.project_id = product.project_id and category.id = any(product.category_ids)
             ), '[]') as categories,
             product.attributes,
             json_build_object('tracked', product.tracked, 'quantity', product.quantity, 'reserved', product.reserved,
               'low_stock_threshold', product.low_stock_threshold, 'backorders', product.backorders) as inventory
      from products as product where ${matching(projectId, filters)} order by product.id`,
    size,
  )
}

/** Names of attributes, those that most products have first. */
export async function mostUsedAttributes(
  database: Queryable,
  projectId: number,
  filters: ProductQuery,
  limit: number,
): Promise<string[]> {
  const rows = await database.query(sql<{ name: string }>`
    select attribute.name from products as product, jsonb_object_keys(product.attributes) as attribute (name)
    where ${matching(projectId, filters)}
    group by attribute.name order by count(*) desc, attribute.name collate "C" limit ${limit}`)
  return rows.map(({ name }) => name)
}
