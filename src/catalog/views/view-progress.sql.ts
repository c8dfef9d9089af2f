import { viewMarks } from '../../model/views/view-marks.ts'
import type { View } from '../../model/views/views.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { broad, planEachTime, sql } from '../../platform/database/sql.ts'
import { productCount } from '../rulesets/marking.sql.ts'
import type { ViewProgress } from './view.schema.ts'

/** Counts the marks of a view from one snapshot. A product without marks is complete, and no statement reads it. */
export async function countProgress(
  database: Queryable,
  projectId: number,
  { code, requires }: Pick<View, 'code' | 'requires'>,
): Promise<ViewProgress> {
  const fields = requires.map((field) => viewMarks.missing(code, field))
  const marks = [viewMarks.missing(code), viewMarks.stale(code), ...fields]
  const statement = sql<{ products: number; counts: Record<string, number> }>`
    select ${productCount(projectId)} as products, (
      select coalesce(jsonb_object_agg(mark, count), '{}') from (
        select mark, count(*) from products as product cross join unnest(product.view_marks) as mark
        where product.project_id = ${projectId} and product.view_marks && ${marks}::text[] and mark = any(${marks}::text[])
        group by mark
      ) as counted
    ) as counts`
  const [row = { products: 0, counts: {} }] = await database.query(broad(planEachTime(statement)))
  const countOf = (mark: string) => row.counts[mark] ?? 0
  return {
    code,
    products: row.products,
    complete: Math.max(0, row.products - countOf(viewMarks.missing(code))),
    missing: requires.map((field) => ({ field, products: countOf(viewMarks.missing(code, field)) })),
    stale: countOf(viewMarks.stale(code)),
  }
}
