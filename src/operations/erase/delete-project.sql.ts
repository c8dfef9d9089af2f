import { advisoryLocks } from '../../platform/database/advisory-locks.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { raw, type Sql, sql } from '../../platform/database/sql.ts'
import { productTables } from './delete-products.sql.ts'

/** Tables that may have many rows per project, in the order in which they are emptied: before and after products. */
export const beforeProducts = ['inventory_adjustments', 'product_history'] as const
export const afterProducts = [
  // The outbox comes first, because its events may move to the feed meanwhile.
  'event_outbox',
  'event_feed',
  'webhook_attempts',
  'webhook_parked',
  'proposal_lines',
  'proposals',
  'categories',
  'model_outcomes',
  'run_calls',
  'runs',
  'prompt_labels',
  'prompt_label_moves',
  'prompt_versions',
  'prompts',
  'product_counts',
  'idempotency_keys',
  'assets',
] as const
/** Tables with few rows per project, deleted together with the project. */
export const deletedWithProject = [
  'access_requests',
  'actor_activity',
  'ai_providers',
  'ai_spending',
  // A trigger requests a job that removes the files.
  'asset_storage',
  'member_invitations',
  'notifications',
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
/** The audit trail stays. An upload that is in progress needs its row until its file is removed. */
export const retainedTables = ['audit_entries', 'asset_files'] as const

/** Child categories are deleted before their parent. */
const isDeletable: { [Table in (typeof afterProducts)[number]]?: Sql } = {
  categories: sql`not exists (
    select from categories as child where child.project_id = own.project_id and child.parent_id = own.id)`,
}

/** Sets the project whose prompt versions the triggers allow to be deleted. */
export async function announceDeletion(tx: Transaction, projectId: number): Promise<void> {
  await tx.query(sql`select set_config('catalog.deleted_project', ${String(projectId)}, true)`)
}

/**
 * Deletes a batch of rows that belong to products, starting at a product ID. Returns the number of rows and the last product ID,
 * where the next batch starts; otherwise each batch would scan all rows deleted before.
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

/** Deletes a batch of rows of a project and returns how many. */
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

/** Counts the rows of a project in the tables that grow with its products. */
export async function countProductRows(database: Queryable, projectId: number): Promise<number> {
  const counts = [...beforeProducts, 'products'].map(
    (table) => `(select count(*) from ${table} where project_id = project.id)`,
  )
  const [row] = await database.query(sql<{ count: number }>`
    select ${raw(counts.join(' + '))} as count from projects as project where id = ${projectId}`)
  return row?.count ?? 0
}

/** Disables the API of the project, revokes its tokens and invitations, and removes its members. */
export async function closeAccess(tx: Transaction, projectId: number): Promise<void> {
  await tx.query(sql`update projects set api_access = 'off', updated_at = now() where id = ${projectId}`)
  await tx.query(sql`
    update tokens set revoked_at = now() where project_id = ${projectId} and revoked_at is null`)
  await tx.query(sql`delete from member_invitations where project_id = ${projectId}`)
  await tx.query(sql`delete from memberships where project_id = ${projectId}`)
}

/** Blocks merges of stored counts until the transaction ends, because they would recreate the project's counts. */
export async function lockCounts(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${advisoryLocks.productCounts})`)
}

/** Whether the project still has rows that are deleted in batches. */
export async function hasRows(tx: Transaction, projectId: number): Promise<boolean> {
  const tables = ['products', ...productTables, ...afterProducts]
  const found = tables.map((table) => `exists (select from ${table} where project_id = project.id)`)
  const [row] = await tx.query(sql<{ found: boolean }>`
    select ${raw(found.join(' or '))} as found from projects as project where id = ${projectId}`)
  return row?.found === true
}

export async function deleteProjectRow(tx: Transaction, projectId: number): Promise<void> {
  for (const table of deletedWithProject)
    await tx.query(sql`delete from ${raw(table)} where project_id = ${projectId}`)
  await tx.query(sql`delete from projects where id = ${projectId}`)
}
