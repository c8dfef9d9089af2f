import { advisoryLocks } from '../../platform/database/advisory-locks.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { raw, type Sql, sql } from '../../platform/database/sql.ts'
import { productTables } from './delete-products.sql.ts'

/** Tables that may have very many rows of a project, in the order in which they are emptied; products stand between the two. */
export const beforeProducts = ['inventory_adjustments', 'product_history'] as const
export const afterProducts = [
  // The outbox first: what is in it may be numbered into the feed meanwhile.
  'event_outbox',
  'event_feed',
  'webhook_attempts',
  'webhook_parked',
  'proposal_lines',
  'proposals',
  'categories',
  'prompt_labels',
  'prompt_label_moves',
  'prompt_versions',
  'prompts',
  'product_counts',
  'idempotency_keys',
] as const
/** Tables that have few rows of a project. They go with the project itself. */
export const withProject = [
  'access_requests',
  'memberships',
  'project_usage',
  'rate_limit_buckets',
  'rulesets',
  'saved_views',
  'scoring_jobs',
  'tokens',
  'webhook_lanes',
  'jobs',
  'webhooks',
] as const
/** The audit trail stays. */
export const kept = ['audit_entries'] as const

/** Where a category has others below it, they go first. */
const isDeletable: { [Table in (typeof afterProducts)[number]]?: Sql } = {
  categories: sql`not exists (
    select from categories as child where child.project_id = own.project_id and child.parent_id = own.id)`,
}

/** Says to the triggers which project goes: they keep the prompt versions of all others. */
export async function announceDeletion(tx: Transaction, projectId: number): Promise<void> {
  await tx.query(sql`select set_config('catalog.deleted_project', ${String(projectId)}, true)`)
}

/**
 * Deletes some rows that hang on products, from a product on, and returns how many they were and the last of the products. The next
 * batch begins there: else each would look at all that is deleted before it.
 */
export async function deleteSomeOfProducts(
  tx: Transaction,
  table: (typeof beforeProducts)[number],
  projectId: number,
  from: number,
  limit: number,
): Promise<{ count: number; last: number | null }> {
  const [row] = await tx.query(sql<{ count: number; last: number | null }>`
    with batch as materialized (
      select ctid, product_id from ${raw(table)} where project_id = ${projectId} and product_id >= ${from}
      order by product_id limit ${limit}
    ), gone as (
      delete from ${raw(table)} where ctid = any(array(select ctid from batch))
    )
    select count(*)::int as count, max(product_id) as last from batch`)
  return row as { count: number; last: number | null }
}

/** Deletes some rows of a project, and returns how many they were. */
export async function deleteSome(
  tx: Transaction,
  table: (typeof afterProducts)[number],
  projectId: number,
  limit: number,
): Promise<number> {
  const rows = await tx.query(sql`
    delete from ${raw(table)} where ctid = any(array(
      select own.ctid from ${raw(table)} as own
      where own.project_id = ${projectId} and ${isDeletable[table] ?? sql`true`} limit ${limit}))
    returning 1`)
  return rows.length
}

/** How many rows of the tables that grow with the products a project has. */
export async function countRows(database: Queryable, projectId: number): Promise<number> {
  const counts = [...beforeProducts, 'products'].map(
    (table) => `(select count(*) from ${table} where project_id = project.id)`,
  )
  const [row] = await database.query(sql<{ count: number }>`
    select ${raw(counts.join(' + '))} as count from projects as project where id = ${projectId}`)
  return row?.count ?? 0
}

/** Closes the API to the project and takes its members out: whoever asks from now on is refused. */
export async function shutOut(tx: Transaction, projectId: number): Promise<void> {
  await tx.query(sql`update projects set api_access = 'off', updated_at = now() where id = ${projectId}`)
  await tx.query(sql`
    update tokens set revoked_at = now() where project_id = ${projectId} and revoked_at is null`)
  await tx.query(sql`delete from memberships where project_id = ${projectId}`)
}

/** No merge of counts runs until the transaction ends: one that does would write its counts anew. */
export async function holdCounts(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${advisoryLocks.productCounts})`)
}

/** Whether a project has rows left that are deleted in batches. */
export async function hasRows(tx: Transaction, projectId: number): Promise<boolean> {
  const tables = ['products', ...productTables, ...afterProducts]
  const found = tables.map((table) => `exists (select from ${table} where project_id = project.id)`)
  const [row] = await tx.query(sql<{ found: boolean }>`
    select ${raw(found.join(' or '))} as found from projects as project where id = ${projectId}`)
  return row?.found === true
}

export async function deleteProjectRow(tx: Transaction, projectId: number): Promise<void> {
  for (const table of withProject)
    await tx.query(sql`delete from ${raw(table)} where project_id = ${projectId}`)
  await tx.query(sql`delete from projects where id = ${projectId}`)
}
