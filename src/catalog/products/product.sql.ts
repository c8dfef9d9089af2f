import { namedCategories, productColumns } from '../../model/product/product-columns.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import type { BatchedRead } from '../../platform/database/batching/batch-reads.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { type Statement, sql } from '../../platform/database/sql.ts'
import { isoTimestamp } from '../../platform/database/statements/column-types.ts'
import { hasVariants } from '../structure/structure.sql.ts'

export const detailColumns = sql`${productColumns}, ${hasVariants} as has_variants, ${namedCategories} as categories`

export type ProductKey = { projectId: number; id: number }

export function productKey({ projectId, id }: ProductKey): string {
  return `${projectId}/${id}`
}

export const productRead: BatchedRead<ProductKey, ProductRow> = {
  groupOf: ({ projectId }) => projectId,
  keyOf: productKey,
  keyOfRow: ({ project, id }) => productKey({ projectId: project, id }),
  select: selectProductsByKey,
  fromJson,
  keysPerStatement: 64,
}

/** Converts a row that was returned as JSON. */
export function fromJson<Row extends Omit<ProductRow, 'categories'>>(row: Row): Row {
  row.created_at = isoTimestamp(row.created_at)
  row.updated_at = isoTimestamp(row.updated_at)
  row.inventory_updated_at = isoTimestamp(row.inventory_updated_at)
  row.quality_computed_at = isoTimestamp(row.quality_computed_at)
  return row
}

/** Many products of many projects in one statement. */
function selectProductsByKey(keys: ProductKey[]): Statement<ProductRow> {
  const projects = keys.map(({ projectId }) => projectId)
  const ids = keys.map(({ id }) => id)
  return sql<ProductRow>`
    select ${detailColumns}
    from unnest(${projects}::bigint[], ${ids}::bigint[]) as wanted (project_id, id)
    join products as product on product.project_id = wanted.project_id and product.id = wanted.id`
}

export async function findProducts(
  database: Queryable,
  keys: ProductKey[],
): Promise<Map<string, ProductRow>> {
  const rows = await database.query(selectProductsByKey(keys))
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

export async function productExists(database: Queryable, projectId: number, id: number): Promise<boolean> {
  const rows = await database.query(sql`select from products where project_id = ${projectId} and id = ${id}`)
  return rows.length > 0
}

export async function requireProductRow(
  database: Queryable,
  projectId: number,
  id: number,
): Promise<ProductRow> {
  const found = await findProducts(database, [{ projectId, id }])
  return found.get(productKey({ projectId, id })) as ProductRow
}

export async function findProductBySku(
  database: Queryable,
  projectId: number,
  sku: string,
): Promise<ProductRow | undefined> {
  const [row] = await database.query(sql<ProductRow>`
    select ${detailColumns} from products as product where product.project_id = ${projectId} and product.sku = ${sku}`)
  return row
}

/** Locks the row and returns it, including changes that were committed while it waited. */
export async function lockProduct(
  tx: Transaction,
  projectId: number,
  key: { id: number } | { sku: string },
): Promise<ProductRow | undefined> {
  const condition = 'id' in key ? sql`id = ${key.id}` : sql`sku = ${key.sku}`
  // Two statements: a single one would read the categories from the snapshot before the wait.
  const [locked] = await tx.query(sql<{ id: number }>`
    select id from products where project_id = ${projectId} and ${condition} for no key update`)
  return locked && requireProductRow(tx, projectId, locked.id)
}

/** The parent of a variant, if it exists. */
export async function findParent(
  database: Queryable,
  { project, parent }: Pick<ProductRow, 'project' | 'parent'>,
): Promise<ProductRow | undefined> {
  if (parent === null || parent.id === null) return undefined
  const key = { projectId: project, id: parent.id }
  return (await findProducts(database, [key])).get(productKey(key))
}
