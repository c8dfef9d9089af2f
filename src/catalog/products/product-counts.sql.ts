import { markUnrecordedChanges } from '../../model/freshness/unrecorded-change.sql.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Concurrent writers spread a count over several rows. Fewer rows are faster to read. */
export async function mergeProductCounts(database: Queryable): Promise<void> {
  await database.query(sql`select merge_product_counts()`)
}

const rightLinks = sql`
  select project_id, id as product_id, unnest(category_ids) as category_id, status, product_type from products`

const wrongLinks = sql`
  (${rightLinks}) as wanted full join product_categories as link using (project_id, product_id, category_id)
  where (link.status is distinct from wanted.status or link.product_type is distinct from wanted.product_type)`

/** The number of counts and links of a project, or of all, that differ from the products: zero, unless a write bypassed the triggers. */
export async function countWrongCounts(database: Queryable, projectId?: number): Promise<number> {
  const own = projectId === undefined ? sql`` : sql`and project_id = ${projectId}`
  const [row] = await database.query(sql<{ count: number }>`
    select (select count(*) from product_count_differences where true ${own})
         + (select count(*) from ${wrongLinks} ${own}) as count`)
  return row?.count ?? 0
}

/** Returns the number of repaired counts and links. Writers wait while it runs; readers do not. */
export async function repairCounts(tx: Transaction): Promise<number> {
  await markUnrecordedChanges(tx)
  await tx.script('lock table products, product_categories, product_counts in share row exclusive mode')
  const wrong = await countWrongCounts(tx)
  await tx.query(sql`
    delete from product_categories as link
    where not exists (
      select from products as product
      where product.project_id = link.project_id and product.id = link.product_id
        and link.category_id = any(product.category_ids))`)
  await tx.query(sql`
    insert into product_categories as link (project_id, product_id, category_id, status, product_type) ${rightLinks}
    on conflict (project_id, product_id, category_id) do update
    set status = excluded.status, product_type = excluded.product_type
    where link.status <> excluded.status or link.product_type <> excluded.product_type`)
  await tx.query(sql`
    insert into product_counts
    select project_id, category_id, scale, status, range, nextval('product_count_slots'),
           simple, configurable, virtual, bundle, grouped
    from product_count_differences`)
  return wrong
}
