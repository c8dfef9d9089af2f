import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/**
 * Moves the pending entries of the GIN indexes on words and attributes into the indexes. Otherwise every search scans the pending
 * list, until a writer has to move it while others wait.
 */
export async function addPendingEntries(database: Queryable): Promise<void> {
  await database.query(sql`
    select gin_clean_pending_list(index.oid)
    from pg_index join pg_class as index on index.oid = indexrelid join pg_am as kind on kind.oid = index.relam
    where indrelid = 'products'::regclass and kind.amname = 'gin' and pg_has_role(index.relowner, 'usage')
      and not pg_is_in_recovery()`)
}
