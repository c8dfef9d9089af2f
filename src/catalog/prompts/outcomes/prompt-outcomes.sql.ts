import { type Statement, sql } from '../../../platform/database/sql.ts'

/** A product version in which a prompt wrote fields, and how many of them still have that value. */
export type PromptWrite = {
  version_number: string
  product_id: number
  changed_at: string
  /** Null for a creation. */
  score_change: number | null
  fields: number
  kept: number
}

/**
 * All writes of a prompt. An entry whose version differs from its change was restored by a revert, so it is not a write. A field is kept
 * while the product has the entry of that write. The lateral joins with a limit make the planner find the changes first, by their index;
 * starting from the products, it would compute the keys of each one.
 */
export function promptWrites(projectId: number, promptId: number): Statement<PromptWrite> {
  const key = String(promptId)
  return sql<PromptWrite>`
    select own.version_number, change.product_id, change.changed_at, change.score_after - change.score_before as score_change,
           own.fields::int as fields, own.kept::int as kept
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
      and (provenance_keys(change.provenance) collate "C") && array[${key}::text] and own.fields > 0`
}
