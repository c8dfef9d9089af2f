import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Content } from './product-content.ts'

export type PastContent = { content: Content; version: number; created_at: string; updated_at: string }

/**
 * The product as it was: each change tells its fields anew, and the last word on a field before that time holds. A category
 * has the name that it has now, for a rename shows everywhere at once; one that is gone has the name that was told.
 */
export async function findContentAt(
  database: Queryable,
  projectId: number,
  productId: number,
  time: string,
): Promise<PastContent | undefined> {
  const [row] = await database.query(sql<PastContent>`
    with told as (
      select version, changed_at, after from product_history
      where project_id = ${projectId} and product_id = ${productId} and changed_at <= ${time}
    ), content as (
      select jsonb_object_agg(field.key, field.value order by told.version) as fields
      from told, jsonb_each(told.after) as field
    )
    select content.fields || jsonb_build_object('categories', (
             select coalesce(jsonb_agg(jsonb_build_object('id', told.id, 'name', coalesce(category.name, told.name)) order by told.position), '[]')
             from rows from (jsonb_to_recordset(content.fields -> 'categories') as (id bigint, name text)) with ordinality as told (id, name, position)
             left join categories as category on category.project_id = ${projectId} and category.id = told.id
           )) as content,
           (select max(version) from told) as version,
           (select min(changed_at) from told) as created_at,
           (select max(changed_at) from told) as updated_at
    from content
    where exists (select from told)`)
  return row
}
