import type { ErasedLines } from '../../catalog/proposals/close-erased-lines.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { raw, type Sql, sql } from '../../platform/database/sql.ts'

/** Tables with rows of a product. They are deleted before the product because of their foreign keys. */
export const productTables = [
  'inventory_adjustments',
  'product_history',
  'product_categories',
  'product_references',
  'asset_uses',
] as const

/** Deletes products that the transaction has locked, with their rows in other tables. Triggers update the counts. */
export async function deleteProducts(tx: Transaction, projectId: number, ids: number[]): Promise<void> {
  for (const table of productTables)
    await tx.query(sql`
      delete from ${raw(table)} where project_id = ${projectId} and product_id = any(${ids}::bigint[])
        and ${table === 'product_categories' ? ofTheirCategories(projectId, ids) : sql`true`}`)
  await tx.query(sql`delete from products where project_id = ${projectId} and id = any(${ids}::bigint[])`)
}

/** Links are found by category and product: without their categories, all links of the project would be read. */
function ofTheirCategories(projectId: number, ids: number[]): Sql {
  return sql`category_id = any(array(
    select unnest(category_ids) from products where project_id = ${projectId} and id = any(${ids}::bigint[])))`
}

/** Locks the next products after an ID until the transaction ends. */
export async function lockProductsAfter(
  tx: Transaction,
  projectId: number,
  id: number,
  limit: number,
): Promise<number[]> {
  const rows = await tx.query(sql<{ id: number }>`
    select id from products where project_id = ${projectId} and id > ${id} order by id limit ${limit} for update`)
  return rows.map((row) => row.id)
}

/** Deletes stored responses of idempotent requests about a product, and returns how many there were. */
export async function deleteStoredResponses(
  database: Queryable,
  projectId: number,
  id: number,
): Promise<number> {
  const rows = await database.query(sql`
    delete from idempotency_keys
    where project_id = ${projectId} and method = 'POST'
      and (path = '/products' and body ->> 'id' = ${String(id)} or starts_with(path, ${`/products/${id}/`}))
    returning 1`)
  return rows.length
}

/**
 * Removes the content of a product from proposal lines. The lines stay, empty; those that are not applied are discarded. Returns
 * the affected proposals with the number of lines.
 */
export async function eraseFromProposals(
  tx: Transaction,
  projectId: number,
  id: number,
  sku: string,
): Promise<ErasedLines[]> {
  return tx.query(sql<ErasedLines>`
    with forgotten as (
      select proposal_id, line, state, outcome is not null and state in ('open', 'conflict') as is_left from proposal_lines
      where project_id = ${projectId} and (product_id = ${id} or product_id is null and sku = ${sku})
      for no key update
    ), counted as (
      update proposals as own set open = own.open - left_lines.open, conflict = own.conflict - left_lines.conflict,
        discarded = own.discarded + left_lines.open + left_lines.conflict
      from (
        select proposal_id, count(*) filter (where state = 'open') as open, count(*) filter (where state = 'conflict') as conflict
        from forgotten where is_left group by proposal_id
      ) as left_lines
      where own.project_id = ${projectId} and own.id = left_lines.proposal_id
      returning own.id, left_lines.open, left_lines.conflict
    ), emptied as (
      update proposal_lines as own set sku = null, changes = null, patch = null, errors = null, warnings = null, conflicts = null,
        provenance = null, categories = null, flags = null, original = null, edited_in = null,
        state = case when forgotten.is_left then 'discarded' else own.state end
      from forgotten
      where own.project_id = ${projectId} and own.proposal_id = forgotten.proposal_id and own.line = forgotten.line
    )
    select id, open, conflict from counted`)
}
