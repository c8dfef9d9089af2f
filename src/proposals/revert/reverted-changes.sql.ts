import type { Queryable } from '../../database/database.ts'
import { plannedAnew, sql } from '../../database/sql.ts'
import type { Entries } from '../../provenance/entries.ts'

/** A change in the history of a product, with what prompts had written before it. */
export type MadeChange = { line: number; before: object | null; after: object; provenance: Entries | null }

/** The changes that lines have made, by the product and the version of each. */
export function listMadeChanges(
  database: Queryable,
  projectId: number,
  lines: readonly { line: number; product_id: number; version: number | null }[],
): Promise<MadeChange[]> {
  const made = lines.filter(({ version }) => version !== null)
  const [numbers, ids, versions] = [
    made.map(({ line }) => line),
    made.map(({ product_id }) => product_id),
    made.map(({ version }) => version as number),
  ]
  return database.query(
    plannedAnew(sql<MadeChange>`
      select wanted.line, change.before, change.after, (
        select jsonb_object_agg(own.field, own.entry)
        from product_history as earlier, jsonb_each(earlier.provenance) as own (field, entry)
        where earlier.project_id = ${projectId} and earlier.product_id = wanted.product_id
          and earlier.version < wanted.version and earlier.provenance is not null
          and not exists (
            select from product_history as later
            where later.project_id = ${projectId} and later.product_id = wanted.product_id
              and later.version > earlier.version and later.version < wanted.version
              and field_differs(later.before, later.after, own.field))
      ) as provenance
      from unnest(${numbers}::int[], ${ids}::bigint[], ${versions}::int[]) as wanted (line, product_id, version)
      join product_history as change on change.project_id = ${projectId} and change.product_id = wanted.product_id
        and change.version = wanted.version`),
  )
}
