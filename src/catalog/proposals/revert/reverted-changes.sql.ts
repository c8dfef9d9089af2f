import type { Entries } from '../../../model/provenance/entries.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { planEachTime, sql } from '../../../platform/database/sql.ts'
import { fieldsAfter } from '../../past-contents/content-before.sql.ts'
import { entriesAfterChanges } from '../../past-contents/past-entries.sql.ts'

/** A change in the history of a product, with the provenance before it. */
export type AppliedChange = { line: number; before: object | null; after: object; provenance: Entries | null }

/** The changes of applied lines, by product and version. */
export function listAppliedChanges(
  database: Queryable,
  projectId: number,
  lines: readonly { line: number; product_id: number; version: number | null }[],
): Promise<AppliedChange[]> {
  const applied = lines.filter(({ version }) => version !== null)
  const [numbers, ids, versions] = [
    applied.map(({ line }) => line),
    applied.map(({ product_id }) => product_id),
    applied.map(({ version }) => version as number),
  ]
  const earlier = sql`(
        select version, before, after, provenance from product_history
        where project_id = ${projectId} and product_id = wanted.product_id and version < wanted.version
      ) as change`
  return database.query(
    planEachTime(sql<AppliedChange>`
      select wanted.line, change.before, ${fieldsAfter('change')} as after, ${entriesAfterChanges(earlier)} as provenance
      from unnest(${numbers}::int[], ${ids}::bigint[], ${versions}::int[]) as wanted (line, product_id, version)
      join product_history as change on change.project_id = ${projectId} and change.product_id = wanted.product_id
        and change.version = wanted.version`),
  )
}
