import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

/**
 * All advisory lock keys and what each protects. Releases that run at the same time must use the same
 * numbers, so never change or reuse one.
 */
export const advisoryLocks = {
  /** The schema: one process migrates at a time, and backups block migrations. */
  migration: 4_270_011,
  /** The embedded server: each process that uses it holds the lock shared; the last one stops the server. */
  embeddedServer: 4_270_012,
  /** One idempotency key: a second request with the key does not wait. */
  idempotencyKey: 4_270_013,
  /** The demo: two first starts create one demo. */
  demo: 4_270_014,
  /** The product counts of all projects: one process merges them at a time. The database function `merge_product_counts` takes it too. */
  productCounts: 4_270_015,
  /** The products of one project: an atomic push locks out other pushes. */
  push: 4_270_016,
  /** The category tree of one project. */
  categoryTree: 4_270_017,
  /** The database: one process restores a backup at a time. */
  restore: 4_270_018,
  /** The event feed: one process numbers events at a time. */
  eventNumbering: 4_270_022,
  /** The products of one project: none is erased while proposals read them. */
  erasure: 4_270_032,
  /** The currencies of the views of one project: shared by writes of amounts. The database function `hold_view_currencies` takes it. */
  viewCurrencies: 4_270_033,
  /** The saved views of one project: limits are exact, and names of shared views are unique. */
  savedViews: 4_270_079,
  /** The runs of one project: their limit is exact. */
  runs: 4_270_085,
  /** The SKUs of parents that do not exist yet, within one project. */
  parentName: 4_270_060,
} as const

/** Locks part of one project until the transaction ends, exclusively or shared with other transactions. */
export async function lockInProject(
  tx: Queryable,
  lock: number,
  projectId: number,
  mode: 'alone' | 'shared',
): Promise<void> {
  const key = sql`hashtextextended(${String(projectId)}, ${lock})`
  await tx.query(
    mode === 'alone'
      ? sql`select pg_advisory_xact_lock(${key})`
      : sql`select pg_advisory_xact_lock_shared(${key})`,
  )
}
