import type { Content } from '../../model/product/product-content.ts'
import type { Entries } from '../../model/provenance/entries.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { contentBefore } from './content-before.sql.ts'
import { entriesAfterChanges } from './past-entries.sql.ts'

export type PastContent = {
  content: Content
  version: number
  created_at: string
  updated_at: string
  provenance: Entries
  /** The proposal that created the version. */
  proposal: number | null
}

/** The latest version up to a time, or up to a version number. */
type PointInTime = { time: string } | { version: number }

/** A past version of a product. Categories have their current names, because a rename applies everywhere; deleted ones have the recorded name. */
export async function findContentAt(
  database: Queryable,
  projectId: number,
  productId: number,
  at: PointInTime,
): Promise<PastContent | undefined> {
  const [until, areLater] =
    'time' in at
      ? [sql`change.changed_at <= ${at.time}`, sql`later.changed_at > ${at.time}`]
      : [sql`change.version <= ${at.version}`, sql`later.version > ${at.version}`]
  const [row] = await database.query(sql<PastContent>`
    with recorded as (
      select version, changed_at, before, after, provenance, proposal_id from product_history as change
      where change.project_id = ${projectId} and change.product_id = ${productId} and ${until}
    ), content as materialized (
      select ${contentBefore(sql`${projectId}`, sql`${productId}`, areLater)} as fields
    )
    select content.fields || jsonb_build_object('categories', (
             select coalesce(jsonb_agg(jsonb_build_object('id', named.id, 'name', coalesce(category.name, named.name)) order by named.position), '[]')
             from rows from (jsonb_to_recordset(content.fields -> 'categories') as (id bigint, name text)) with ordinality as named (id, name, position)
             left join categories as category on category.project_id = ${projectId} and category.id = named.id
           )) as content,
           (select max(version) from recorded) as version,
           (select min(changed_at) from recorded) as created_at,
           (select max(changed_at) from recorded) as updated_at,
           coalesce(${entriesAfterChanges(sql`recorded as change`)}, '{}') as provenance,
           (select proposal_id from recorded order by version desc limit 1) as proposal
    from content
    where exists (select from recorded)`)
  return row
}
