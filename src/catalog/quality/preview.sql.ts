import { qualityLimits } from '../../model/limits/quality.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { broad, type Sql, sql } from '../../platform/database/sql.ts'
import { productCount } from '../rulesets/marking.sql.ts'

/** For many products, IDs are sampled at even distances, several per wanted ID, because IDs have gaps. */
const placesPerWanted = 4

/** At most `wanted` IDs, spread evenly from the first to the last. */
export async function spreadIds(
  database: Queryable,
  projectId: number,
  { wanted, products }: { wanted: number; products: number },
): Promise<number[]> {
  const candidates =
    products <= qualityLimits.previewIds
      ? sql`select id from products where project_id = ${projectId} limit ${qualityLimits.previewIds}`
      : productsAtPlaces(projectId, wanted * placesPerWanted)
  const rows = await database.query(
    broad(sql<{ id: number }>`
      with numbered as (
        select id, row_number() over (order by id) - 1 as place, count(*) over () as count from (${candidates}) as candidates
      )
      select id from numbered
      where place = 0 or place * ${wanted}::int / count <> (place - 1) * ${wanted}::int / count order by id`),
  )
  return rows.map(({ id }) => id)
}

function productsAtPlaces(projectId: number, places: number): Sql {
  return sql`
    select distinct nearest.id
    from (select min(id) as first, max(id) as last from products where project_id = ${projectId}) as ends,
      generate_series(0, ${places}::int - 1) as place,
      lateral (
        select id from products
        where project_id = ${projectId} and id >= first + (last - first) * place / (${places}::int - 1)
        order by id limit 1
      ) as nearest`
}

export async function countProducts(database: Queryable, projectId: number): Promise<number> {
  const [row] = await database.query(sql<{ count: number }>`select ${productCount(projectId)} as count`)
  return row?.count ?? 0
}
