import type { Queryable } from '../../database/database.ts'
import { type Page, type PageRequest, selectPage } from '../../database/select-page.ts'
import { sql } from '../../database/sql.ts'
import { jsonbBytes } from '../../database/stored-bytes.ts'
import type { ProductChange } from './product-history.schema.ts'

/** Of a change, beside what changed. */
const namesAndTimesBytes = 500
const changeBytes = sql`(
  coalesce(${jsonbBytes(sql`page.before`)}, 0) + ${jsonbBytes(sql`page.after`)} + ${namesAndTimesBytes}::int)`

/** Newest first. Every product has at least its creation here. */
export function listChanges(
  database: Queryable,
  projectId: number,
  productId: number,
  page: PageRequest,
  mostBytes: number,
): Promise<Page<ProductChange>> {
  return selectPage(database, {
    columns: sql`version, changed_at, actor, source, before, after`,
    from: sql`product_history`,
    where: sql`project_id = ${projectId} and product_id = ${productId}`,
    orderBy: sql`version desc`,
    page,
    bound: { rowBytes: changeBytes, mostBytes },
  })
}
