import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** The names of the products that have one of the SKUs, by SKU. */
export async function findNames(
  database: Queryable,
  projectId: number,
  skus: string[],
): Promise<Map<string, string>> {
  const rows = await database.query(sql<{ sku: string; name: string }>`
    select sku, name from products where project_id = ${projectId} and sku = any(${skus}::text[])`)
  return new Map(rows.map(({ sku, name }) => [sku, name]))
}
