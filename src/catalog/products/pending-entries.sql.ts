import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/**
 * Puts what writes have left beside the indexes of words and attributes into them. Otherwise every search reads through all of it, until one
 * writer, for whom it has become too much, has to do so while others wait.
 */
export async function addPendingEntries(database: Queryable): Promise<void> {
  await database.query(sql`
    select gin_clean_pending_list(index.oid)
    from pg_index join pg_class as index on index.oid = indexrelid join pg_am as kind on kind.oid = index.relam
    where indrelid = 'products'::regclass and kind.amname = 'gin' and pg_has_role(index.relowner, 'usage')
      and not pg_is_in_recovery()`)
}
