import type { Queryable } from '../../platform/database/database.ts'
import { raw, sql } from '../../platform/database/sql.ts'

/** With fewer changes, the table is small enough for any plan. */
const leastChanges = 500

/**
 * Analyzes the table after it has doubled. A cached plan for an empty table sorts the entire project for each page, and autovacuum
 * would run only after a minute.
 */
export async function renewStatistics(database: Queryable): Promise<void> {
  const outdated = await database.query(sql`
    select from pg_class as class join pg_stat_user_tables as seen on seen.relid = class.oid
    where class.oid = 'products'::regclass and seen.n_mod_since_analyze > greatest(${leastChanges}::bigint, class.reltuples)
      and pg_has_role(class.relowner, 'usage') and not pg_is_in_recovery()`)
  if (outdated.length > 0) await database.query(raw('analyze products'))
}
