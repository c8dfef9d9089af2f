import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'

type Missing = { looked: number; missing: number; first: string[] }

const mostChanges = 1_000
/** The newest changes are at the end of their table: so many pages have them, and a look at them takes moments at any size. */
const lastPages = 500
const rowsOfProject = 2_000

/**
 * Compares the latest changes of products with the feed and the outbox. What is older than the events that are looked at is left out, and
 * so is what was changed before there were events.
 */
export async function findMissingEvents(database: Queryable): Promise<Missing> {
  const [row] = await database.query(sql<Missing>`
    with recent as materialized (
      select project_id, product_id, version, changed_at from product_history
      where ctid >= format('(%s,0)', greatest(0, pg_relation_size('product_history') / current_setting('block_size')::int - ${lastPages}::int))::tid
        and changed_at > (select applied_at from migrations where name = '0044_events.sql')
      order by changed_at desc limit ${mostChanges}
    ), looked_at as materialized (
      select row.* from (select distinct project_id from recent) as project
      cross join lateral (
        select project_id, type, changed_at, object_ids, versions from event_feed where event_feed.project_id = project.project_id
        order by number desc limit ${rowsOfProject}
      ) as row
    ), told as materialized (
      select project_id, unnest(object_ids) as product_id, unnest(versions) as version
      from (
        select project_id, type, object_ids, versions from looked_at
        union all select project_id, type, object_ids, versions from event_outbox
      ) as row
      where type in ('product.created', 'product.updated')
    ), oldest as materialized (
      select project_id, min(changed_at) + interval '10 minutes' as changed_at from looked_at
      group by project_id having count(*) = ${rowsOfProject}
    ), judged as (
      select recent.*, not exists (
        select from told where told.project_id = recent.project_id and told.product_id = recent.product_id and told.version = recent.version
      ) as is_missing
      from recent left join oldest on oldest.project_id = recent.project_id
      where oldest.changed_at is null or recent.changed_at > oldest.changed_at
    )
    select count(*) as looked, count(*) filter (where is_missing) as missing,
           (array_agg(format('version %s of product %s', version, product_id) order by changed_at desc) filter (where is_missing))[1:3] as first
    from judged`)
  return row as Missing
}
