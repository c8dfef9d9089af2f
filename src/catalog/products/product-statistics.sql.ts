import type { Queryable } from '../../platform/database/database.ts'
import { raw, sql } from '../../platform/database/sql.ts'

/** With fewer changes, the table is small enough for any plan. */
const leastChanges = 500

/** Tables whose plans depend on their size. */
const tables = ['products', 'product_categories']

/**
 * Analyzes each table after it has doubled. A cached plan for an empty table sorts the entire project for each page, or reads all
 * products of a category for one status, and autovacuum would run only after a minute.
 */
export async function renewStatistics(database: Queryable): Promise<void> {
  const outdated = await database.query(sql<{ name: string }>`
    select class.relname as name from pg_class as class join pg_stat_user_tables as seen on seen.relid = class.oid
    where class.oid = any(${tables}::regclass[])
      and seen.n_mod_since_analyze > greatest(${leastChanges}::bigint, class.reltuples)
      and pg_has_role(class.relowner, 'usage') and not pg_is_in_recovery()`)
  for (const { name } of outdated) await database.query(raw(`analyze ${name}`))
}
