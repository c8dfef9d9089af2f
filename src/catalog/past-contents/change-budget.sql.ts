import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/**
 * The content of a past version is computed from all changes after it. One statement reads at most this many changes, or those of one
 * product: few enough for the statement timeout, however large the changes are.
 */
const changesPerStatement = 20_000

/** The number of changes per product ID. Products that no longer exist are missing. */
export async function countProductChanges(
  database: Queryable,
  projectId: number,
  productIds: readonly number[],
): Promise<Map<number, number>> {
  if (productIds.length === 0) return new Map()
  const rows = await database.query(sql<{ id: number; version: number }>`
    select id, version from products where project_id = ${projectId} and id = any(${productIds}::bigint[])`)
  return new Map(rows.map(({ id, version }) => [id, version]))
}

/** How many of the first items one statement can read, given the changes of each; at least one. */
export function countReadable(changes: readonly number[]): number {
  let sum = 0
  const end = changes.findIndex((own, index) => {
    sum += own
    return index > 0 && sum > changesPerStatement
  })
  return end === -1 ? changes.length : end
}
