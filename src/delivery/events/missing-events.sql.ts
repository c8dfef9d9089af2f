import type { Queryable } from '../../platform/database/database.ts'
import { join, raw, type Sql, sql } from '../../platform/database/sql.ts'

type Missing = { checked: number; missing: number; first: string[] }

const maxChanges = 1_000
/** The newest rows are usually at the end of the table, so reading the last pages takes milliseconds at any size. */
const lastPages = 500
const rowsOfProject = 2_000

/** The migrations since which events are recorded, for any writing release: for products, and for all other objects. */
const productsSince = '0044_events.sql'
const othersSince = '0061_proposal_events_of_older_releases.sql'

/** Recent rows of `table` as changes that need an event: with the same version, or about the same time if there is no version. */
function recentChanges(
  table: string,
  since: string,
  {
    kind,
    id,
    version = 'null',
    at,
    name,
    where = 'true',
  }: Record<'kind' | 'id' | 'at' | 'name', string> & Partial<Record<'version' | 'where', string>>,
): Sql {
  return sql`(
    select project_id, ${kind} as kind, ${raw(id)} as object_id, ${raw(version)}::bigint as version, ${raw(at)} as changed_at, ${raw(name)} as named
    from ${raw(table)} as row
    where ctid >= format('(%s,0)', greatest(0, pg_relation_size(${table}) / current_setting('block_size')::int - ${lastPages}::int))::tid
      and ${raw(at)} > (select applied_at from migrations where migrations.name = ${since}) and ${raw(where)}
    order by ${raw(at)} desc limit ${maxChanges})`
}

const sources = [
  recentChanges('product_history', productsSince, {
    kind: 'product',
    id: 'product_id',
    version: 'version',
    at: 'changed_at',
    name: `format('version %s of product %s', version, product_id)`,
  }),
  recentChanges('categories', othersSince, {
    kind: 'category',
    id: 'id',
    at: 'updated_at',
    name: `format('category %s', id)`,
  }),
  recentChanges('prompts', othersSince, {
    kind: 'prompt',
    id: 'id',
    at: 'updated_at',
    name: `format('prompt %s', id)`,
  }),
  recentChanges('proposals', othersSince, {
    kind: 'proposal',
    id: 'id',
    at: 'coalesce(closed_at, applied_at, created_at)',
    name: `format('proposal %s', id)`,
    where: `state not in ('preparing', 'applying')`,
  }),
  recentChanges('rulesets', othersSince, {
    kind: 'ruleset',
    id: '0',
    version: 'version',
    at: 'created_at',
    name: `format('version %s of the attributes and quality rules of project %s', version, project_id)`,
    // A version with equal rules and definitions is not a change.
    where: `not exists (
      select from rulesets as held where held.project_id = row.project_id and held.version = row.version - 1
        and held.rules is not distinct from row.rules and held.definitions = row.definitions)`,
  }),
]

/**
 * Compares the latest changes with the feed and the outbox. Skips changes that are older than the compared events, that precede the first
 * event, or whose events were deleted by retention.
 */
export async function findMissingEvents(database: Queryable): Promise<Missing> {
  const [row] = await database.query(sql<Missing>`
    with recent as materialized (
      select * from (${join(sources, ' union all ')}) as change order by changed_at desc limit ${maxChanges}
    ), compared as materialized (
      select row.* from (select distinct project_id from recent) as project
      cross join lateral (
        select project_id, number, type, changed_at, object_ids, versions from event_feed where event_feed.project_id = project.project_id
        order by number desc limit ${rowsOfProject}
      ) as row
    ), recorded as materialized (
      select project_id, case split_part(type, '.', 1) when 'attribute' then 'ruleset' when 'quality_rules' then 'ruleset'
               else split_part(type, '.', 1) end as kind,
             unnest(object_ids) as object_id, unnest(versions) as version, changed_at
      from (
        select project_id, type, changed_at, object_ids, versions from compared
        union all select project_id, type, changed_at, object_ids, versions from event_outbox
      ) as row
      where type <> 'product.stock_changed'
    ), oldest as materialized (
      select project_id, min(changed_at) + interval '10 minutes' as changed_at from compared
      group by project_id having count(*) = ${rowsOfProject} or min(number) > 1
    ), checked as (
      select recent.*, not exists (
        select from recorded where recorded.project_id = recent.project_id and recorded.kind = recent.kind and recorded.object_id = recent.object_id
          and case when recent.version is null then recorded.changed_at >= recent.changed_at - interval '1 minute'
                   else recorded.version = recent.version end
      ) as is_missing
      from recent left join oldest on oldest.project_id = recent.project_id
      where oldest.changed_at is null or recent.changed_at > oldest.changed_at
    )
    select count(*) as checked, count(*) filter (where is_missing) as missing,
           (array_agg(named order by changed_at desc) filter (where is_missing))[1:3] as first
    from checked`)
  return row as Missing
}
