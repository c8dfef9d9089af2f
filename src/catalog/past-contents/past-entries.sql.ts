import { type Sql, sql } from '../../platform/database/sql.ts'

/**
 * The provenance entries of a product after the changes `change` (version, before, after, provenance); null if there are none. An entry
 * is valid until its field changes. Changes are compared only if there are entries.
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
