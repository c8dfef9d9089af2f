import type { MediaItem } from '../../../model/fields/media.schema.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import { duplicateLimits } from '../../limits.ts'
import { gtinNames } from './gtin-names.ts'
import type { DuplicateProduct } from './product-duplicates.schema.ts'

/** Products with the same value; IDs in ascending order, not all of a large group. */
export type SameValue = { value: string; count: number; ids: number[] }

const { groups, groupProducts, repeatedNames } = duplicateLimits

/** Archived products are left out: archiving a duplicate resolves it. */
const isCurrent = sql`product.status <> 'archived'`

/** A variant and its parent, and variants of one parent, are one family. */
const family = sql`coalesce(reference.reference_id, product.id)`

function parentOf(projectId: number): Sql {
  return sql`left join product_references as reference
    on reference.project_id = ${projectId} and reference.product_id = product.id and reference.kind = 'parent'`
}

/** Names of several products, from the index on names of the entire project, and one more than the limit if there are more. */
export async function findRepeatedNames(database: Queryable, projectId: number): Promise<string[]> {
  const rows = await database.query(sql<{ name: string }>`
    select name from products where project_id = ${projectId} group by name having count(*) > 1
    order by name limit ${repeatedNames + 1}`)
  return rows.map(({ name }) => name)
}

/** Groups of products of different families with the same name. */
export function findSameNames(
  database: Queryable,
  projectId: number,
  names: readonly string[],
): Promise<SameValue[]> {
  return database.query(sql<SameValue>`
    select product.name as value, count(*)::int as count,
           to_json((array_agg(product.id order by product.id))[1:${groupProducts}]) as ids
    from products as product ${parentOf(projectId)}
    where product.project_id = ${projectId} and product.name = any(${names}::text[]) and ${isCurrent}
    group by product.name having min(${family}) <> max(${family})
    order by min(product.id) limit ${groups + 1}`)
}

/** Groups of products with the same GTIN: 8 to 14 digits, with or without spaces and hyphens, filled up to 14 digits. */
export function findSameGtins(database: Queryable, projectId: number): Promise<SameValue[]> {
  return database.query(sql<SameValue>`
    with looked as materialized (
      select product.id, product.attributes, product.status from products as product
      where product.project_id = ${projectId} order by product.updated_at desc, product.id desc
      limit ${duplicateLimits.products}
    ),
    coded as (
      select distinct product.id, lpad(cleaned.digits, 14, '0') as gtin
      from looked as product
      cross join lateral (
        select named.name from unnest(${gtinNames}::text[]) as named (name) where product.attributes ? named.name
      ) as named
      cross join lateral jsonb_path_query(product.attributes -> named.name, 'lax $[*]') as item (value)
      cross join lateral (select translate(item.value #>> '{}', ' -', '') as digits) as cleaned
      where ${isCurrent} and cleaned.digits ~ '^[0-9]{8,14}$' and cleaned.digits !~ '^(.)\\1*$'
    )
    select gtin as value, count(*)::int as count, to_json((array_agg(id order by id))[1:${groupProducts}]) as ids
    from coded group by gtin having count(*) > 1 order by min(id) limit ${groups + 1}`)
}

export type NamedProduct = { id: number; name: string; family: number }

/** The products that changed last. */
export function findRecentNames(database: Queryable, projectId: number): Promise<NamedProduct[]> {
  return database.query(sql<NamedProduct>`
    select product.id, product.name, ${family} as family
    from (
      select id, name, status from products where project_id = ${projectId}
      order by updated_at desc, id desc limit ${duplicateLimits.products}
    ) as product ${parentOf(projectId)}
    where ${isCurrent}`)
}

/** Whether the project has products that are not among those that changed last. */
export async function hasFurtherProducts(database: Queryable, projectId: number): Promise<boolean> {
  const rows = await database.query(
    sql`select from products where project_id = ${projectId} offset ${duplicateLimits.products} limit 1`,
  )
  return rows.length > 0
}

export type DuplicateRow = Omit<DuplicateProduct, 'currency' | 'media'> & { media: MediaItem[] }

export function findDuplicateProducts(
  database: Queryable,
  projectId: number,
  ids: readonly number[],
): Promise<DuplicateRow[]> {
  return database.query(sql<DuplicateRow>`
    select id, sku, name, status, price, version, updated_at, media
    from products where project_id = ${projectId} and id = any(${ids}::bigint[])`)
}
