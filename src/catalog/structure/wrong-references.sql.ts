import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

/** A product whose rows in the table of references are not what it says, or whose parent takes no variants. */
export type WrongProduct = { project_id: number; id: number; is_misplaced: boolean }
type Place = { project_id: number; id: number }

/** What the table has to say of the products of `batch`. A product that is gone has no id; then no values are compared. */
const said: Sql = sql`
  named as (
    select project_id, id, 'parent' as kind, parent as value from batch where parent is not null
    union all
    select project_id, id, 'component', component.value from batch, jsonb_array_elements(components) as component
    union all
    select project_id, id, link.key, item.value from batch, jsonb_each(links) as link, jsonb_array_elements(link.value) as item
  ), said as (
    select named.project_id, named.id as product_id, named.kind, other.id as reference_id, named.value ->> 'sku' as reference_sku,
           own.hash as axis_hash, named.kind = 'parent' and other.product_type <> 'configurable' as is_misplaced
    from named
    left join products as other on other.project_id = named.project_id and other.id = (named.value ->> 'id')::bigint
    left join lateral (
      select variant_hash(jsonb_agg(variant.attributes -> axis.name order by axis.place)) as hash
      from products as variant, jsonb_array_elements_text(other.variant_axes) with ordinality as axis (name, place)
      where variant.project_id = named.project_id and variant.id = named.id
    ) as own on named.kind = 'parent'
  )`

/** The wrong ones among the next products, and the last of these; undefined after the last of all. */
export async function findWrongReferences(
  database: Queryable,
  after: Place,
  limit: number,
): Promise<{ wrong: WrongProduct[]; last: Place } | undefined> {
  const [found] = await database.query(sql<{ wrong: WrongProduct[]; last: Place | null }>`
    with batch as materialized (
      select project_id, id, parent, components, links from products
      where (project_id, id) > (${after.project_id}, ${after.id}) order by project_id, id limit ${limit}
    ), ${said}, kept as (
      select reference.project_id, reference.product_id, reference.kind, reference.reference_id, reference.reference_sku,
             case when reference.reference_id is not null then reference.axis_hash end as axis_hash
      from product_references as reference join batch on batch.project_id = reference.project_id and batch.id = reference.product_id
    ), differing as (
      (select project_id, product_id, kind, reference_id, reference_sku, axis_hash from said except all select * from kept)
      union all
      (select * from kept except all select project_id, product_id, kind, reference_id, reference_sku, axis_hash from said)
    ), wrong as (
      select project_id, product_id as id, false as is_misplaced from differing
      union select project_id, product_id, true from said where is_misplaced
    )
    select coalesce((select json_agg(wrong order by project_id, id) from wrong), '[]') as wrong,
           (select json_build_object('project_id', project_id, 'id', id) from batch order by project_id desc, id desc limit 1) as last`)
  return found?.last ? { wrong: found.wrong, last: found.last } : undefined
}

/** Makes the rows of the products anew. They and their parents are locked first, as by any other writer. */
export async function rebuildReferences(tx: Transaction, projectId: number, ids: number[]): Promise<void> {
  await tx.query(sql`
    select from products where project_id = ${projectId} and id = any(${ids}::bigint[]) order by id for no key update`)
  await tx.query(sql`
    select from products where project_id = ${projectId} and id in (
      select (parent ->> 'id')::bigint from products where project_id = ${projectId} and id = any(${ids}::bigint[])
    ) order by id for key share`)
  await tx.query(sql`
    delete from product_references where project_id = ${projectId} and product_id = any(${ids}::bigint[])`)
  await tx.query(sql`
    with batch as materialized (
      select project_id, id, parent, components, links from products
      where project_id = ${projectId} and id = any(${ids}::bigint[])
    ), ${said}
    insert into product_references (project_id, product_id, kind, reference_id, reference_sku, axis_hash)
    select project_id, product_id, kind, reference_id, reference_sku, axis_hash from said`)
}
