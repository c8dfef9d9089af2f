import { type Sql, sql } from '../../platform/database/sql.ts'

/**
 * What prompts had written of a product after some changes of its history, `change` with version, before, after and provenance; null
 * where that is nothing. An entry holds until a later change of its field: only where there are entries are changes looked into.
 */
export function entriesAfterChanges(changes: Sql): Sql {
  return sql`(
    with written as (
      select distinct on (own.field) own.field, own.entry, change.version
      from ${changes}, jsonb_each(change.provenance) as own (field, entry)
      order by own.field, change.version desc
    ), rewritten as (
      select name.field, change.version
      from ${changes}, changed_fields(change.before, change.after) as name (field)
      where change.version > (select min(version) from written)
    )
    select jsonb_object_agg(field, entry) from written
    where not exists (
      select from rewritten where rewritten.field = written.field and rewritten.version > written.version))`
}
