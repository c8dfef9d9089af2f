import type { AttributeValue } from '../../model/fields/attributes.schema.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export type HeldValue = {
  id: number
  sku: string
  name: string
  status: string
  product_type: string
  category_ids: number[]
  /** Null if the product does not have the attribute. */
  value: AttributeValue | null
}

/** The values of one attribute in some products, with the fields that decide whether it is required. */
export function findHeldValues(
  database: Queryable,
  projectId: number,
  ids: readonly number[],
  name: string,
): Promise<HeldValue[]> {
  return database.query(sql<HeldValue>`
    select id, sku, name, status, product_type, to_json(category_ids) as category_ids, attributes -> ${name}::text as value
    from products where project_id = ${projectId} and id = any(${ids}::bigint[]) order by id`)
}
