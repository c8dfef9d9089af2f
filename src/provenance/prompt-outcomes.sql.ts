import type { Queryable } from '../database/database.ts'
import { broad, plannedAnew, sql } from '../database/sql.ts'
import type { Outcome } from './prompt-outcomes.schema.ts'

/**
 * What became of all that each version of a prompt wrote. An entry of another version than its change is one that a revert has
 * restored: it was written before. A field is kept while the product has the entry of that very write.
 */
export function listOutcomes(database: Queryable, projectId: number, promptId: number): Promise<Outcome[]> {
  const key = String(promptId)
  const statement = sql<Outcome>`
    with written as (
      select own.entry ->> 'version_number' as version_number, change.product_id, change.version, change.changed_at,
             change.score_after - change.score_before as score_change,
             count(*) as fields,
             count(*) filter (where product.provenance -> own.field -> 'version' = own.entry -> 'version') as kept
      from product_history as change
      cross join jsonb_each(change.provenance) as own (field, entry)
      join products as product on product.project_id = change.project_id and product.id = change.product_id
      where change.project_id = ${projectId} and change.provenance is not null
        and (provenance_keys(change.provenance) collate "C") && array[${key}::text]
        and own.entry ->> 'prompt_id' = ${key} and (own.entry ->> 'version')::int = change.version
      group by own.entry ->> 'version_number', change.project_id, change.product_id, change.version
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
