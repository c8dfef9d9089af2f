import type { Queryable } from '../../../platform/database/database.ts'
import { broad, join, planEachTime, raw, type Sql, sql } from '../../../platform/database/sql.ts'
import { listLimits } from '../../limits.ts'
import { type Filters, matchingProducts } from '../product-filters.ts'
import type { Facet, ProductFacets } from './product-facets.schema.ts'

type Wanted = { attributes: readonly string[]; maxValues: number }
type FacetRow = Omit<Facet, 'attribute'> & { matches: number }

/** Counts all facets in one statement, from one snapshot. Facets without a filter on their own attribute share one scan. */
export async function countFacets(
  database: Queryable,
  projectId: number,
  filters: Filters,
  { attributes, maxValues }: Wanted,
): Promise<ProductFacets> {
  const isFiltered = (attribute: string) => filters.attributes?.some(({ key }) => key === attribute) === true
  const shared = attributes.flatMap((attribute, index) =>
    isFiltered(attribute) ? [] : [sql`product.attributes -> ${attribute} as ${raw(`value_${index}`)}`],
  )
  const groups = attributes.map((attribute, index) => {
    const source = isFiltered(attribute)
      ? sql`select product.attributes -> ${attribute} as value from products as product
            where ${matchingProducts(projectId, withoutOwn(filters, attribute))}`
      : sql`select ${raw(`value_${index}`)} as value from found`
    return sql`, ${countedValues(index, source)}`
  })
  const facets = attributes.map((_, index) => facetOf(index, maxValues))
  const statement = sql<FacetRow>`
    with found as materialized (
      select ${join([sql`true as matches`, ...shared])} from products as product where ${matchingProducts(projectId, filters)}
    ) ${join(groups, '')}
    select total.matches, facet.without, facet.count, facet.values
    from (select count(*) as matches from found) as total, (${join(facets, ' union all ')}) as facet
    order by facet.place`
  const rows = await database.query(broad(planEachTime(statement)))
  return {
    count: rows[0]?.matches ?? 0,
    facets: rows.map(({ matches: _matches, ...row }, index) => ({
      attribute: attributes[index] as string,
      ...row,
    })),
  }
}

function withoutOwn(filters: Filters, attribute: string): Filters {
  const others = filters.attributes?.filter(({ key }) => key !== attribute) ?? []
  const { attributes: _attributes, ...rest } = filters
  return others.length === 0 ? rest : { ...rest, attributes: others }
}

/** Groups stored values first, including lists: there are far fewer distinct lists than products to expand. */
function countedValues(index: number, source: Sql): Sql {
  const [stored, counted] = [raw(`stored_${index}`), raw(`counted_${index}`)]
  return sql`
    ${stored} as materialized (select value, count(*) as products from (${source}) as source group by value),
    ${counted} as materialized (
      select value, sum(products)::bigint as products from (
        select value, products from ${stored} where jsonb_typeof(value) <> 'array'
        union all
        select one.value, products from ${stored} as list
        cross join lateral (select distinct value from jsonb_array_elements(list.value) as element (value)) as one
        where jsonb_typeof(list.value) = 'array'
      ) as single group by value
    )`
}

/** Numbers by value and before texts, which are ordered by code point. */
const byProducts = sql`
  products desc, case when jsonb_typeof(value) = 'number' then value::numeric end, value #>> '{}' collate "C", jsonb_typeof(value)`

function facetOf(index: number, maxValues: number): Sql {
  const [stored, counted] = [raw(`stored_${index}`), raw(`counted_${index}`)]
  return sql`
    select ${index}::int as place, coalesce((select products from ${stored} where value is null), 0) as without,
           (select count(*) from ${counted}) as count, (
      select coalesce(json_agg(json_build_object('value', value, 'products', products) order by place), '[]')
      from (
        select value, products, row_number() over first as place, sum(octet_length(value::text)) over first as bytes
        from (select value, products from ${counted} order by ${byProducts} limit ${maxValues}) as most
        window first as (order by ${byProducts} rows unbounded preceding)
      ) as shown where bytes <= ${listLimits.facetBytes}
    ) as values`
}
