import type { Queryable } from '../../database/database.ts'
import { broad, sql } from '../../database/sql.ts'
import { productCount } from './scoring-job.sql.ts'

/** All ids where there are no more than wanted; else as many places between the first and the last, and the product at each. */
export async function spreadIds(database: Queryable, projectId: number, most: number): Promise<number[]> {
  const rows = await database.query(
    broad(sql<{ id: number }>`
      with few as materialized (
        select id from products where project_id = ${projectId} order by id limit ${most}::int + 1
      ), ends as materialized (
        select (select min(id) from few) as first,
               (select id from products where project_id = ${projectId} order by id desc limit 1) as last
        where (select count(*) from few) > ${most}::int
      )
      select id from few where not exists (select from ends)
      union
      select nearest.id
      from ends, generate_series(0, ${most}::int - 1) as place,
        lateral (
          select id from products
          where project_id = ${projectId} and id >= first + (last - first) * place / (${most}::int - 1)
          order by id limit 1
        ) as nearest
      order by id`),
  )
  return rows.map(({ id }) => id)
}

export async function countProducts(database: Queryable, projectId: number): Promise<number> {
  const [row] = await database.query(sql<{ count: number }>`select ${productCount(projectId)} as count`)
  return row?.count ?? 0
}
