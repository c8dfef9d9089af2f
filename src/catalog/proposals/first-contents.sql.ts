import type { Queryable } from '../../platform/database/database.ts'
import { listing, sql } from '../../platform/database/sql.ts'
import { jsonbBytes } from '../../platform/database/statements/stored-bytes.ts'
import { countReadable } from '../past-contents/change-budget.sql.ts'
import { fieldsAfter } from '../past-contents/content-before.sql.ts'

/** A product that a line created, and its number of changes. */
export type CreatedProduct = { product_id: number; changes: number }

/** The content is null if all contents up to this one exceed the size limit. */
type FirstContent = { product_id: number; content: object | null; bytes: number }

/** The contents that products were created with, by ID. Each statement does a limited amount of work. */
export async function listFirstContents(
  database: Queryable,
  projectId: number,
  products: readonly CreatedProduct[],
  maxBytes: number,
): Promise<Map<number, FirstContent>> {
  const contents = new Map<number, FirstContent>()
  let bytesLeft = maxBytes
  for (let left = products; left.length > 0; ) {
    const readable = countReadable(left.map(({ changes }) => changes))
    const ids = left.slice(0, readable).map(({ product_id }) => product_id)
    for (const content of await selectFirstContents(database, projectId, ids, Math.max(0, bytesLeft))) {
      contents.set(content.product_id, content)
      bytesLeft -= content.bytes
    }
    left = left.slice(readable)
  }
  return contents
}

function selectFirstContents(
  database: Queryable,
  projectId: number,
  ids: readonly number[],
  maxBytes: number,
): Promise<FirstContent[]> {
  return database.query(
    listing(sql<FirstContent>`
      with created as materialized (
        select wanted.place, change.product_id, ${fieldsAfter('change')} as content
        from unnest(${ids}::bigint[]) with ordinality as wanted (id, place)
        cross join lateral (
          select * from product_history where project_id = ${projectId} and product_id = wanted.id and version = 1 limit 1
        ) as change
      ), measured as materialized (
        select *, coalesce(${jsonbBytes(sql`content`)}, 0) as bytes from created
      )
      select product_id, case when sum(bytes) over (order by place) <= ${maxBytes}::bigint then content end as content, bytes
      from measured order by place`),
  )
}
