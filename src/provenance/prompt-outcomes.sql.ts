import type { Queryable } from '../database/database.ts'
import { broad, plannedAnew, sql } from '../database/sql.ts'
import type { Outcome } from './prompt-outcomes.schema.ts'

/**
 * What became of all that each version of a prompt wrote. An entry of another version than its change is one that a revert has
 * restored: it was written before. A field is kept while the product has the entry of that very write. A write tells one version,
 * so its fields are counted where it stands: those of many writes, sorted together, would go to the disk. Lateral with a limit: the
 * changes are found first, by their index. Found by their products, the keys of each would be made anew.
 */
export function listOutcomes(database: Queryable, projectId: number, promptId: number): Promise<Outcome[]> {
  const key = String(promptId)
  const statement = sql<Outcome>`
    with written as (
      select own.version_number, change.product_id, change.changed_at, change.score_after - change.score_before as score_change,
             own.fields, own.kept
      from product_history as change
      cross join lateral (
        select provenance from products where project_id = ${projectId} and id = change.product_id limit 1
      ) as product
      cross join lateral (
        select min(entry ->> 'version_number') as version_number, count(*) as fields,
               count(*) filter (where product.provenance -> field -> 'version' = entry -> 'version') as kept
        from jsonb_each(change.provenance) as entries (field, entry)
        where entry ->> 'prompt_id' = ${key} and (entry ->> 'version')::int = change.version
      ) as own
      where change.project_id = ${projectId} and change.provenance is not null
        and (provenance_keys(change.provenance) collate "C") && array[${key}::text] and own.fields > 0
    )
    select version_number, count(distinct product_id)::int as products, count(*)::int as writes,
           json_build_object(
             'mean', round(avg(score_change), 2),
             'median', percentile_cont(0.5) within group (order by score_change)) as score_change,
           round(sum(kept) / sum(fields), 4)::float8 as kept_rate,
           min(changed_at) as first_at, max(changed_at) as last_at
    from written
    group by version_number
    order by string_to_array(version_number, '.')::int[]`
  return database.query(broad(plannedAnew(statement)))
}
