import { productTypes } from '../../model/fields/product-fields.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { raw, type Sql, sql } from '../../platform/database/sql.ts'

/** The progress of the walk that computes the marks of changed views; undefined if the marks are current. */
export async function findMarking(
  database: Queryable,
  projectId: number,
): Promise<{ done: number; total: number } | undefined> {
  const [job] = await database.query(sql<{ scored: number; products: number }>`
    select scored, ${productCount(projectId)} as products from scoring_jobs
    where project_id = ${projectId} and completed_at is null and is_marking`)
  // A product that was written with the older views in the meantime is marked twice.
  return job && { done: Math.min(job.scored, job.products), total: job.products }
}

const sum = raw(`sum(${productTypes.join(' + ')})`)

/** The exact number of products, from the stored counts. */
export function productCount(projectId: number): Sql {
  return sql`(
    select coalesce(${sum}, 0)::bigint from product_counts
    where project_id = ${projectId} and category_id = 0 and scale = 16)`
}
