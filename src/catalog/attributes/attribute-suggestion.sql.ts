import { attributeLimits } from '../../model/limits/attributes.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Statistics of an attribute. */
export type SeenAttribute = {
  name: string
  products: number
  text: number
  number: number
  boolean: number
  several: number
  distinct: number
  /** The number of occurrences of all values; a value counts once per product. */
  uses: number
  /** Whether all values have the same type. */
  all_numbers: boolean
  all_booleans: boolean
  all_texts: boolean
  all_dates: boolean
  all_urls: boolean
  /** Values with the most products first; long values are cut. */
  values: { value: string | number | boolean; products: number; is_cut: boolean }[]
}

/** Values to read per attribute: the maximum for a suggested choice, and one more. */
const maxValues = attributeLimits.suggestedChoices + 1

/** The attributes with the most products, among all products or those with the IDs, without the names in `leftOut`. */
export async function findSeenAttributes(
  database: Queryable,
  projectId: number,
  { ids, leftOut }: { ids: readonly number[] | undefined; leftOut: readonly string[] },
): Promise<{ looked_at: number; attributes: SeenAttribute[] }> {
  const chosen = ids === undefined ? sql`` : sql`and id = any(${ids}::bigint[])`
  const [row] = await database.query(
    sql<{ looked_at: number; attributes: SeenAttribute[] }>`
    with looked as (select attributes from products where project_id = ${projectId} ${chosen}),
    pairs as materialized (
      select pair.key collate "C" as name, pair.value, jsonb_typeof(pair.value) as type, count(*) as products
      from looked cross join lateral jsonb_each(looked.attributes) as pair
      where pair.key <> all(${leftOut}::text[]) group by pair.key, pair.value
    ),
    named as materialized (
      select name, sum(products) as products, coalesce(sum(products) filter (where type = 'string'), 0) as text,
             coalesce(sum(products) filter (where type = 'number'), 0) as number,
             coalesce(sum(products) filter (where type = 'boolean'), 0) as boolean,
             coalesce(sum(products) filter (where type = 'array'), 0) as several
      from pairs group by name order by products desc, name limit ${attributeLimits.suggestedAttributes}
    ),
    -- A value counts once per product, however often a list contains it. Texts are ordered by code point, because a language
    -- collation would take many times as long.
    used as (
      select name, value, sum(products) as products, (value #>> '{}') collate "C" as shown
      from (
        select name, value, products from pairs where type <> 'array'
        union all
        select pairs.name, element.value, pairs.products from pairs
        cross join lateral (select distinct one.value from jsonb_array_elements(pairs.value) as one) as element
        where pairs.type = 'array'
      ) as elements
      where name in (select name from named) group by name, value
    ),
    valued as (
      select used.*, jsonb_typeof(value) as type,
             row_number() over (partition by name order by products desc, shown) as place
      from used
    ),
    summed as (
      select name, count(*) as distinct, sum(products) as uses, bool_and(type = 'number') as all_numbers,
             bool_and(type = 'boolean') as all_booleans, bool_and(type = 'string') as all_texts,
             bool_and(type = 'string' and shown ~ ${dateShape}) as all_dates,
             bool_and(type = 'string' and shown ~* '^https?://[^[:space:]/]') as all_urls,
             json_agg(json_build_object(
               'value', case when type = 'string' then to_jsonb(left(shown, ${attributeLimits.suggestedValueCharacters})) else value end,
               'products', products, 'is_cut', type = 'string' and length(shown) > ${attributeLimits.suggestedValueCharacters}) order by place)
               filter (where place <= ${maxValues}) as values
      from valued group by name
    )
    select (select count(*)::int from looked) as looked_at, coalesce((
      select json_agg(to_json(seen) order by seen.products desc, seen.name)
      from (select * from named join summed using (name)) as seen), '[]') as attributes`,
  )
  return row ?? { looked_at: 0, attributes: [] }
}

const dateShape =
  '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?Z)?$'
